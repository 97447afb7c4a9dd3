/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Comparisons and choices between values. */
#include "harness.h"

KERNEL void limit(int n, int m, int steps, REAL A[2][n][m]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                REAL dx = A[t % 2][i][j + 1] - A[t % 2][i][j - 1];
                REAL dy = A[t % 2][i + 1][j] - A[t % 2][i - 1][j];
                REAL slope = dx > dy ? dx : dy;
                slope = slope < (REAL)-0.5 ? (REAL)-0.5 : slope;
                A[(t + 1) % 2][i][j] = slope > 0 ? A[t % 2][i][j] - (REAL)0.3 * slope
                                                 : A[t % 2][i][j] * (REAL)0.99 + slope * slope;
            }
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1), limit(n[0], n[1], steps, b[0]),
        REALS("A", 2 * n[0] * n[1]))
