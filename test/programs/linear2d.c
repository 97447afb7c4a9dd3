/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loops over all cells by one index, between sweeps by rows. */
#include "harness.h"

KERNEL void heat(int n, int m, int steps, REAL *a, REAL *b, REAL *c) {
    int all = n * m;
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i * m + j] = (REAL)0.3 * a[i * m + j] +
                               (REAL)0.2 * (a[(i - 1) * m + j] + a[i * m + j + 1]);
        for (int k = 0; k < all; k++)
            a[k] = (REAL)0.5 * b[k] + c[k] * t;
        for (int k = 0; k < all; k++)
            c[k] = a[k] - (REAL)0.25 * b[k];
    }
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1), heat(n[0], n[1], steps, b[0], b[1], b[2]),
        REALS("a", n[0] * n[1]), REALS("b", n[0] * n[1]), REALS("c", n[0] * n[1]))
