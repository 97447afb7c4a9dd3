/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A to B, then B to A, in one time step. */
#include "harness.h"

KERNEL void jacobi(int n, int m, int steps, REAL A[n][m], REAL B[n][m]) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                B[i][j] =
                    (REAL)0.2 * (A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i + 1][j] + A[i - 1][j]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                A[i][j] =
                    (REAL)0.2 * (B[i][j] + B[i][j - 1] + B[i][j + 1] + B[i + 1][j] + B[i - 1][j]);
    }
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1), jacobi(n[0], n[1], steps, b[0], b[1]),
        REALS("A", n[0] * n[1]), REALS("B", n[0] * n[1]))
