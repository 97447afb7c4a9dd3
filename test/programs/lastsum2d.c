/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A residual summed up in each step, of which only the last step's is used. FORM: 1 pointers
 * exchanged, 2 copied back, 3 in a nest of its own between two sweeps, 4 two sums; 5, refused, goes
 * on from step to step; 6 of all cells by one index, each step's in an array. LOOP: the time loop's
 * head. */
#include "harness.h"

#ifndef FORM
#define FORM 1
#endif
#ifndef LOOP
#define LOOP for (long t = 0; t < steps; t++)
#endif
#define EACH                                                                                       \
    for (long i = 1; i < n - 1; i++)                                                               \
        for (long j = 1; j < m - 1; j++)
#define MEAN                                                                                       \
    ((REAL)0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] + a[i * m + j + 1]))

KERNEL static REAL lastsum2d(long n, long m, long steps, REAL *a, REAL *b) {
    REAL all = -1, most = 0, trace[64] = {0};
    (void)most;
    LOOP {
#if FORM != 5
        all = 0;
#endif
#if FORM == 6
        EACH b[i * m + j] = MEAN;
        REAL *was = a;
        a = b;
        b = was;
        for (long i = 0; i < n * m; i++)
            all += a[i];
        trace[t] = all;
#elif FORM == 3
        EACH b[i * m + j] = MEAN;
        EACH all += (b[i * m + j] - a[i * m + j]) * (b[i * m + j] - a[i * m + j]);
        EACH a[i * m + j] = b[i * m + j] - (REAL)0.1 * b[i * m + j - 1];
#else
#if FORM == 4
        most = 1;
#endif
        EACH {
            REAL change = MEAN - a[i * m + j];
            all += change * change;
#if FORM == 4
            most -= change;
#endif
            b[i * m + j] = a[i * m + j] + (REAL)0.8 * change;
        }
#if FORM == 2
        EACH a[i * m + j] = b[i * m + j];
#else
        REAL *was = a;
        a = b;
        b = was;
#endif
#endif
    }
    for (int t = 0; t < 64; t++)
        most += trace[t];
    return all + most;
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        *(REAL *)b[2] = lastsum2d(n[0], n[1], steps, b[0], b[1]), REALS("a", n[0] * n[1]),
        REALS("b", n[0] * n[1]), REALS("found", 1))
