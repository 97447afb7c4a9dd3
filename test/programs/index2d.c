/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The loop counters are part of the value. */
#include "harness.h"

KERNEL void drive(int n, int m, int steps, REAL A[2][n][m]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                A[(t + 1) % 2][i][j] = (REAL)0.25 * (A[t % 2][i - 1][j] + A[t % 2][i + 1][j] +
                                                     A[t % 2][i][j - 1] + A[t % 2][i][j + 1]) +
                                       (REAL)(3 * i - j) * (REAL)0.001 +
                                       ((i ^ j) & 4 ? (REAL)0.01 : (REAL)-0.02);
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1), drive(n[0], n[1], steps, b[0]),
        REALS("A", 2 * n[0] * n[1]))
