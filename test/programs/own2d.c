/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Static indices of loops, and temporaries, that several functions set before they read them.
 * SHOWN: one of them is read by another function. */
#include "harness.h"

static long i, j;
static REAL across, down;

__attribute__((noinline)) static void smooth(long n, long m, const REAL *a, REAL *b) {
    for (i = 1; i < n - 1; i++)
        for (j = 1; j < m - 1; j++) {
            across = a[i * m + j - 1] + a[i * m + j + 1];
            down = a[(i - 1) * m + j] + a[(i + 1) * m + j];
            b[i * m + j] = (REAL)0.25 * (across + down);
        }
}

__attribute__((noinline)) static void border(long n, long m, REAL *b) {
    for (i = 0; i < n; i++) {
        across = b[i * m] * (REAL)0.5;
        b[i * m] = across;
    }
    j = m;
}

KERNEL static void own2d(long n, long m, long steps, REAL *a, REAL *b, REAL *out) {
    for (long t = 0; t < steps; t++) {
        smooth(n, m, a, b);
        border(n, m, b);
        smooth(n, m, b, a);
    }
#ifdef SHOWN
    *out = across + (REAL)(i + j);
#else
    *out = 0;
#endif
}

PROGRAM(2, 2 * INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1), own2d(n[0], n[1], steps, b[0], b[1], b[2]),
        REALS("a", n[0] * n[1]), REALS("b", n[0] * n[1]), REALS("out", 1))
