/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A time loop whose sweeps depend on the kind of the grid and on an option, which do not change in
 * it. MODE says which run. With -DSAYS the program also makes an output in the middle of a step.
 * With -DPLACE=N the kind is in a table of four that is read only where N is a place in it. */
#include "harness.h"

#ifndef MODE
#define MODE 1
#endif
#ifndef OPTION
#define OPTION 1
#endif
#ifndef OFTEN
#define OFTEN 3
#endif

struct grid {
    int kind, option, place;
};

int kinds[4] = {1, 0, 1, 0};

#ifdef PLACE
#define FIRST(g) ((g).place >= 0 && (g).place < 4 && kinds[(g).place])
#else
#define FIRST(g) ((g).kind == 1)
#endif

KERNEL void put(REAL v, REAL *seen) {
    seen[0] += v;
    __asm__ volatile("" ::"r"(seen) : "memory");
}

KERNEL void begin(struct grid *g) {
    g->kind = MODE;
    g->option = OPTION;
#ifdef PLACE
    g->place = PLACE;
#endif
    __asm__ volatile("" ::"r"(g) : "memory");
}

#define CELLS                                                                                      \
    for (int i = 1; i < n - 1; i++)                                                                \
        for (int j = 1; j < m - 1; j++)
#define U(i, j) u[(i) * m + (j)]
#define V(i, j) v[(i) * m + (j)]

KERNEL void modes2d(int n, int m, int steps, REAL *u, REAL *v, REAL *seen) {
    struct grid g = {0, 0, 0};
    begin(&g);
    for (int t = 0; t < steps; t++) {
        if (FIRST(g)) {
            CELLS V(i, j) = (REAL)0.25 * (U(i, j - 1) + U(i, j + 1) + U(i - 1, j) + U(i + 1, j));
            CELLS V(i, j) += (REAL)0.125 * U(i, j);
        } else {
            CELLS V(i, j) = (REAL)0.5 * (U(i, j - 1) + U(i, j + 1));
#ifdef SAYS /* in the middle of a step */
            put((REAL)-1, seen);
#endif
        }
        if (g.option)
            CELLS U(i, j) = V(i, j);
        else
            CELLS U(i, j) = (REAL)0.5 * (U(i, j) + V(i, j));
#ifndef PLACE /* put may change what is not the function's own */
        if (t % OFTEN == 0)
            put(U(n / 2, m / 2), seen);
#endif
    }
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        modes2d((int)n[0], (int)n[1], (int)steps, b[0], b[1], b[2]),
        REALS("u", n[0] * n[1] + n[1] + 1), REALS("v", n[0] * n[1] + n[1] + 1), REALS("seen", 1))
