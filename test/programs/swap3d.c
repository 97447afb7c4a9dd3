/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Pointer swap, linear index, three dimensions, boundary of differing widths. */
#include "harness.h"

#ifndef RESTRICT
#define RESTRICT
#endif
#ifndef INDEX
#define INDEX int
#endif

KERNEL void heat(INDEX n, INDEX m, INDEX l, int steps, REAL *RESTRICT a, REAL *RESTRICT b) {
    for (int t = 0; t < steps; t++) {
        for (INDEX i = 1; i < n - 2; i++)
            for (INDEX j = 2; j < m - 1; j++)
                for (INDEX k = 1; k < l - 1; k++) {
                    INDEX c = (i * m + j) * l + k;
                    b[c] = (REAL)0.4 * a[c] + (REAL)0.1 * a[c - 1] + (REAL)0.11 * a[c + 1] +
                           (REAL)0.09 * a[c - l] + (REAL)0.12 * a[c + l] +
                           (REAL)0.08 * a[c - m * l] + (REAL)0.1 * a[c + m * l];
                }
        REAL *swap = a;
        a = b;
        b = swap;
    }
}

PROGRAM(3, INSIDE(n[0], 1, 2) * INSIDE(n[1], 2, 1) * INSIDE(n[2], 1, 1),
        heat((INDEX)n[0], (INDEX)n[1], (INDEX)n[2], steps, b[0], b[1]),
        REALS("a", n[0] * n[1] * n[2]), REALS("b", n[0] * n[1] * n[2]))
