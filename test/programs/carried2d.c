/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A time loop that computes numbers of its own, which are used behind it. FORM: 1 one that adds up;
 * 2 several, each computed of others; 3 also one that the cells use; 4 in pieces, between outputs;
 * 5 of cells: no loop of its own can make it; 6 of the greatest change in each step; 7 the change
 * of the step before the last; 8 all steps' sums, and the sum before; 9 the sum before, for
 * outputs; 10 as 6, where a cell of each step is kept, up to MOST of them. */
#include "harness.h"

#include <math.h>

#ifndef FORM
#define FORM 1
#endif
enum { MOST = 64 };
#define AT(a, i, j) a[(long)(i) * m + (j)]
#define CELLS                                                                                      \
    for (int i = 1; i < n - 1; i++)                                                                \
        for (int j = 1; j < m - 1; j++)
#define MEAN(a)                                                                                    \
    ((REAL)0.25 * (AT(a, i - 1, j) + AT(a, i + 1, j) + AT(a, i, j - 1) + AT(a, i, j + 1)))

KERNEL static void put(REAL *found, REAL value) {
    found[2] = found[2] * (REAL)0.5 + value;
    __asm__ volatile("" ::: "memory");
}

#define ABS(x) ((x) < 0 ? -(x) : (x))

KERNEL void carried2d(int n, int m, int steps, REAL *a, REAL *b, REAL *found) {
    REAL time = (REAL)0.1, weight = 1;
    REAL made = 0;
    unsigned state = 7;
    (void)weight, (void)state, (void)made;
    for (int t = 0; t < steps; t++) {
#if FORM == 3
        CELLS AT(b, i, j) = MEAN(a) + time;
#elif FORM == 6 || FORM == 7 || FORM == 10
        REAL change = 0;
        CELLS {
            AT(b, i, j) = MEAN(a);
            REAL here = ABS(AT(b, i, j) - AT(a, i, j));
            change = here > change ? here : change;
        }
#elif FORM == 8 || FORM == 9
        REAL sum = 0;
        CELLS {
            AT(b, i, j) = MEAN(a);
            sum += AT(b, i, j);
        }
#else
        CELLS AT(b, i, j) = MEAN(a);
#endif
        REAL *c = a;
        a = b;
        b = c;
        time += (REAL)0.3;
#if FORM == 2
        weight = (REAL)fabs(weight * time - (REAL)t);
        state = state * 1103515245u + 12345u;
#elif FORM == 4
        if (t % 3 == 2)
            put(found, time);
#elif FORM == 10
        found[3 + t] = AT(a, n / 2, m / 2);
        weight = weight * (REAL)0.5 + change;
#elif FORM == 6
        weight = weight * (REAL)0.5 + change;
#elif FORM == 7
        weight = made;
        made = change;
#elif FORM == 8
        weight += sum * (REAL)0.25 + made;
        made = sum;
#elif FORM == 9
        if (t % 3 == 2)
            put(found, sum / (made + 1));
        made = sum;
#elif FORM == 5
        weight = weight * (REAL)0.5 + (n > 1 && m > 1 ? AT(a, 1, 1) : 0);
#endif
    }
    found[0] = time;
    found[1] = weight + (REAL)(state % 1000);
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        carried2d((int)n[0], (int)n[1], (int)steps, b[0], b[1], b[2]), REALS("a", n[0] * n[1]),
        REALS("b", n[0] * n[1]), REALS("found", 3 + MOST))
