/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Pointers that are said not to overlap, and do: the second array starts SHIFT elements after the
 * first one, in the same memory. */
#include "harness.h"

#ifndef SHIFT
#define SHIFT n[1]
#endif

KERNEL void overlap2d(int n, int m, int steps, REAL *restrict a, REAL *restrict b) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i * m + j] = (REAL)0.5 * a[i * m + j] + (REAL)0.125 * a[(i - 1) * m + j] +
                               (REAL)0.125 * a[(i + 1) * m + j] + (REAL)0.25 * a[i * m + j - 1];
        REAL *was = a;
        a = b;
        b = was;
    }
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        overlap2d((int)n[0], (int)n[1], (int)steps, b[0], (REAL *)b[0] + (SHIFT)),
        REALS("memory", n[0] * n[1] + (SHIFT)))
