/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Division by constants of all kinds. Values grow until they are infinite; none becomes NaN, whose
 * bits may differ. */
#include "harness.h"

#define SMALL (sizeof(REAL) == 4 ? (REAL)1e-3 : (REAL)1e-25)
#define LARGE (sizeof(REAL) == 4 ? (REAL)1e30 : (REAL)1e200)

KERNEL void divide(int n, int m, int steps, REAL A[2][n][m]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                A[(t + 1) % 2][i][j] = A[t % 2][i][j - 1] / 3 / 49 + A[t % 2][i][j + 1] / 118 +
                                       A[t % 2][i - 1][j] / (REAL)0.1 / (REAL)2.5 +
                                       A[t % 2][i + 1][j] / (REAL)-6 / (REAL)-0.11 +
                                       A[t % 2][i][j] / SMALL + A[t % 2][i][j] / LARGE / 8;
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1), divide(n[0], n[1], steps, b[0]),
        REALS("A", 2 * n[0] * n[1]))
