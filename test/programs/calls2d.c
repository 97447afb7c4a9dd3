/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A time loop that calls its sweeps: functions that LLVM is told not to inline by itself. */
#include "harness.h"

#ifndef OFTEN
#define OFTEN 3
#endif

struct grid {
    int nx, ny;
    REAL *ez, *hx, *hy;
};

#define EZ(i, j) g->ez[(i)*g->ny + (j)]
#define HX(i, j) g->hx[(i)*g->ny + (j)]
#define HY(i, j) g->hy[(i)*g->ny + (j)]

void update_h(struct grid *g);
void update_e(struct grid *g);
void edges(struct grid *g);
void step(struct grid *g, int t, REAL *seen);
REAL curl(const struct grid *g, int i, int j);

/* As if in another file. */
KERNEL void look(const struct grid *g, int t, REAL *seen) {
    if (g->nx > 1 && g->ny > 1)
        seen[t % 8] += EZ(g->nx / 2, g->ny / 2);
    __asm__ volatile("" ::"r"(g) : "memory");
}

void update_h(struct grid *g) {
    for (int i = 0; i < g->nx; i++)
        for (int j = 0; j < g->ny - 1; j++)
            HX(i, j) -= (REAL)0.25 * (EZ(i, j + 1) - EZ(i, j));
    for (int i = 0; i < g->nx - 1; i++)
        for (int j = 0; j < g->ny; j++)
            HY(i, j) += (REAL)0.25 * (EZ(i + 1, j) - EZ(i, j));
}

REAL curl(const struct grid *g, int i, int j) {
    return HY(i, j) - HY(i - 1, j) - (HX(i, j) - HX(i, j - 1));
}

void update_e(struct grid *g) {
    for (int i = 1; i < g->nx - 1; i++)
        for (int j = 1; j < g->ny - 1; j++)
            EZ(i, j) += (REAL)0.25 * curl(g, i, j);
}

void edges(struct grid *g) {
    for (int j = 0; j < g->ny; j++) {
        EZ(0, j) = EZ(1, j);
        EZ(g->nx - 1, j) = EZ(g->nx - 2, j);
    }
}

void step(struct grid *g, int t, REAL *seen) {
    update_h(g);
    update_e(g);
    edges(g);
#if OFTEN > 0
    if (t % OFTEN == 0)
        look(g, t, seen);
#endif
}

KERNEL void run(struct grid *g, int steps, REAL *seen) {
    for (int t = 0; t < steps; t++)
        step(g, t, seen);
}

/* The functions have further callers. */
KERNEL void again(struct grid *g, REAL *seen) {
    update_h(g);
    step(g, 5, seen);
    edges(g);
    update_e(g);
}

KERNEL static void calls2d(long n, long m, long steps, REAL *ez, REAL *hx, REAL *hy, REAL *seen) {
    struct grid g = {(int)n, (int)m, ez, hx, hy};
    if (n < 3 || m < 3)
        return;
    run(&g, (int)steps, seen);
    if (seen[0] == -1)
        again(&g, seen);
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        calls2d(n[0], n[1], steps, b[0], b[1], b[2], b[3]), REALS("ez", n[0] * n[1]),
        REALS("hx", n[0] * n[1]), REALS("hy", n[0] * n[1]), REALS("seen", 8))
