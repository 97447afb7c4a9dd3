/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sweeps whose threads may have several cells, in three dimensions: a plane and a table that cells
 * share, another start of rows, and an array in place. */
#include "harness.h"

KERNEL void sweeps(long l, long n, long m, long steps, REAL a[l][n][m], REAL b[l][n][m],
                   REAL plane[n][m], REAL table[l]) {
    for (long t = 0; t < steps; t++) {
        for (long k = 1; k < l - 1; k++)
            for (long i = 1; i < n - 1; i++)
                for (long j = 1; j < m - 1; j++)
                    b[k][i][j] = (REAL)0.2 * (a[k - 1][i][j] + a[k + 1][i][j] + a[k][i - 1][j] +
                                              a[k][i][j + 1]) +
                                 plane[i][j] * table[k];
        for (long k = 0; k < l - 1; k++)
            for (long i = 1; i < n; i++)
                for (long j = 2; j < m; j++)
                    a[k][i][j] = (REAL)0.5 * a[k][i][j] + (REAL)0.3 * b[k + 1][i - 1][j - 2];
    }
}

PROGRAM(3, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1) * INSIDE(n[2], 1, 1),
        sweeps(n[0], n[1], n[2], steps, b[0], b[1], b[2], b[3]), REALS("a", n[0] * n[1] * n[2]),
        REALS("b", n[0] * n[1] * n[2]), REALS("plane", n[1] * n[2]), REALS("table", n[0]))
