/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The faces of a 3-D grid between the sweeps, along each dimension. */
#include "harness.h"

KERNEL void heat(int n, int m, int l, int steps, REAL A[n][m][l], REAL B[n][m][l]) {
    if (n < 3 || m < 3 || l < 3)
        return;
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                for (int k = 1; k < l - 1; k++)
                    B[i][j][k] = (REAL)0.5 * A[i][j][k] +
                                 (REAL)0.08 * (A[i - 1][j][k] + A[i + 1][j][k] + A[i][j - 1][k] +
                                               A[i][j + 1][k] + A[i][j][k - 1] + A[i][j][k + 1]);
        for (int j = 1; j < m - 1; j++)
            for (int k = 1; k < l - 1; k++) {
                B[0][j][k] = B[1][j][k];
                B[n - 1][j][k] = B[n - 2][j][k];
            }
        for (int i = 0; i < n; i++)
            for (int k = 1; k < l - 1; k++)
                B[i][0][k] = B[i][m - 2][k];
        for (int i = 0; i < n; i++)
            for (int k = 1; k < l - 1; k++)
                B[i][m - 1][k] = B[i][1][k];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                B[i][j][0] = (REAL)1.5;
                B[i][j][l - 1] = B[i][j][l - 2];
            }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                for (int k = 0; k < l; k++)
                    A[i][j][k] = B[i][j][k];
    }
}

PROGRAM(3, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1) * INSIDE(n[2], 1, 1),
        heat(n[0], n[1], n[2], steps, b[0], b[1]), REALS("A", n[0] * n[1] * n[2]),
        REALS("B", n[0] * n[1] * n[2]))
