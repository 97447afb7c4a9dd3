/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Cells that a time loop sets from other cells, and that the compiler keeps in registers. FORM: 1 a
 * copy, 2 an absorbing end, 3 both ends, of which one is written behind its sweep, 4 what is added
 * up of cells, 5 two cells that copy one another, 6 what a cell had before it was set, 7 a cell
 * that a sweep writes again, 8 sums that are stored behind the loop at one place. LOCAL: arrays of
 * the function that are zero at first. EVERY: prints in each step of that many. */
#include "harness.h"
#include <stdio.h>

#ifndef SIZE
#define SIZE 77
#endif
enum { N = SIZE };
static REAL e0[N], h0[N], sums[2];

#ifdef LOCAL
#define ARRAYS REAL e[N] = {0}, h[N] = {0}
#else
#define ARRAYS REAL *e = e0, *h = h0
#endif

#if FORM == 8
#define SUMS REAL s = *first, r = *second
#else
#define SUMS (void)first, (void)second
#endif

KERNEL void cells(int steps, const REAL *in, REAL *first, REAL *second) {
    ARRAYS;
    SUMS;
    sums[0] = sums[1] = 0;
    e[N / 2] += in[0];
    for (int t = 0; t < steps; t++) {
#if FORM == 6
        REAL was = e[0];
#endif
        for (int m = 0; m < N - 1; m++)
            h[m] += (e[m + 1] - e[m]) * (REAL)0.3;
        h[N / 3] -= (REAL)0.01 * t;
#if FORM == 1
        e[0] = e[1];
#elif FORM == 2 || FORM == 3
        e[0] += (e[1] - e[0]) * (REAL)0.25;
#elif FORM == 4
        sums[0] += e[3] * e[4];
        sums[1] += h[2];
#elif FORM == 5
        e[0] = h[0];
        h[N - 1] = e[0] + h[N - 2];
#elif FORM == 6
        e[0] = e[1] - was;
#elif FORM == 7
        e[0] = h[1];
#endif
        for (int m = FORM == 7 ? 0 : 1; m < N - 1; m++)
            e[m] += (h[m] - h[m > 0 ? m - 1 : 0]) * (REAL)0.3;
#if FORM == 3
        e[N - 1] = e[N - 2];
#endif
#if FORM == 8
        s += e[5];
        r += e[7];
#endif
#ifdef EVERY
        if (t % EVERY == 0)
            for (int m = 0; m < N; m += 5)
                printf("%g\n", (double)e[m]);
#endif
    }
#if FORM == 8
    *second = r;
    *first = s;
#endif
    for (int m = 0; m < N; m++) {
        e0[m] = e[m];
        h0[m] = h[m];
    }
}

PROGRAM(0, N - 2, cells(steps, b[0], sums, sums), REALS("in", 8), STATIC_REALS(e0),
        STATIC_REALS(h0), STATIC_REALS(sums))
