/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The time step is part of the value, beside two numbers that the caller gives. */
#include "harness.h"

KERNEL void drive(int n, int m, int steps, REAL alpha, REAL force, REAL A[2][n][m]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                A[(t + 1) % 2][i][j] =
                    A[t % 2][i][j] +
                    alpha * (A[t % 2][i - 1][j] + A[t % 2][i + 1][j] + A[t % 2][i][j - 1] +
                             A[t % 2][i][j + 1] - 4 * A[t % 2][i][j]) +
                    force * (REAL)(2 * t + 1);
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        drive(n[0], n[1], steps, (REAL)0.21, (REAL)0.003, b[0]), REALS("A", 2 * n[0] * n[1]))
