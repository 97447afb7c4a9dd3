/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* So many sweeps one after the other, without a time loop; with -DUNROLLED in one of so many steps, which LLVM
 * unrolls. With -DOTHERS they are different ones, of several arrays. */
#include "harness.h"

#ifndef SWEEPS
#define SWEEPS 3
#endif

#ifndef THIRD
#define THIRD 2
#endif

#define CELLS                                                                                      \
    for (int i = 1; i < n - 1; i++)                                                                \
        for (int j = 1; j < m - 1; j++)

static inline void sweep(int n, int m, const REAL *a, REAL *b) {
    CELLS b[i * m + j] = (REAL)0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] +
                                       a[i * m + j - 1] + a[i * m + j + 1]);
}

KERNEL void sequence2d(int n, int m, REAL *a, REAL *b, REAL *c) {
#if defined OTHERS
    CELLS c[i * m + j] = a[i * m + j + 1] - a[i * m + j - 1];
    sweep(n, m, c, b);
    CELLS a[i * m + j] = a[i * m + j] + b[(i - 1) * m + j] * c[i * m + j + 1];
#elif defined UNROLLED
    for (int t = 0; t < SWEEPS; t++) {
        CELLS b[i * m + j] = (REAL)0.5 * (a[i * m + j - 1] + a[i * m + j + 1]);
        REAL *was = a;
        a = b;
        b = was;
    }
    (void)c;
#else
    for (int t = 0; t < 1; t++) {
        sweep(n, m, a, b);
        sweep(n, m, b, a);
        if (SWEEPS > 2)
            sweep(n, m, a, b);
        if (SWEEPS > 3)
            sweep(n, m, b, c);
    }
#endif
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        sequence2d((int)n[0], (int)n[1], b[0], b[1], b[THIRD]), REALS("a", n[0] * n[1]),
        REALS("b", n[0] * n[1]), REALS("c", n[0] * n[1]))
