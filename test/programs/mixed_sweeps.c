/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sweeps over arrays of different types and dimensions: a mask of bytes, counts,
 * weights of each row and column; integers are set by memset, with bytes other than 0. */
#include "harness.h"

KERNEL void spread(int n, int m, int steps, REAL A[n][m], REAL B[n][m], int32_t count[n][m],
                   uint8_t mask[n][m], REAL *row, REAL *column) {
    if (n < 3 || m < 3)
        return;
    for (int t = 0; t < steps; t++) {
        for (int j = 0; j < m; j++)
            row[j] = (REAL)0.5 * row[j] + (REAL)0.25 * A[1][j];
        for (int i = 0; i < n; i++)
            column[i] = A[i][0] + t;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                B[i][j] = (REAL)0.2 * (A[i][j] + A[i - 1][j] + A[i][j - 1]) + row[j] * column[i];
                mask[i][j] = B[i][j] > (REAL)0.4 ? mask[i][j] + 1 : 0;
            }
        memset(count[0], 0x5a, (size_t)m * sizeof **count);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                count[i][j] = mask[i - 1][j] + mask[i + 1][j] + count[i][j] / 2 + i - j;
                A[i][j] = B[i][j] - (REAL)count[i][j] * (REAL)0.001;
            }
    }
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        spread(n[0], n[1], steps, b[0], b[1], b[2], b[3], b[4], b[5]), REALS("A", n[0] * n[1]),
        REALS("B", n[0] * n[1]), INTEGERS("count", int32_t, n[0] * n[1], -9, 20),
        INTEGERS("mask", uint8_t, n[0] * n[1], 0, 7), REALS("row", n[1]), REALS("column", n[0]))
