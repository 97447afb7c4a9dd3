/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Gauss-Seidel: a cell uses neighbours of this very sweep, so the loops must stay as they are. */
#include "harness.h"

KERNEL void relax(int n, int m, int steps, REAL A[n][m]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                A[i][j] = (A[i - 1][j] + A[i][j - 1] + A[i][j] + A[i][j + 1] + A[i + 1][j]) / 5;
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1), relax(n[0], n[1], steps, b[0]),
        REALS("A", n[0] * n[1]))
