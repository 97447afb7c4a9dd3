/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Two sweeps of a step, and between them a cell (CELL) or a row (else) near a face is set. */
#include "harness.h"

KERNEL void run(int steps, int n, int m, REAL A[n][m], REAL B[n][m]) {
    if (n < 4 || m < 4)
        return;
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                B[i][j] = (REAL)0.5 * (A[i][j - 1] + A[i][j + 1]);
#ifdef CELL
        B[2][2] = 0;
#else
        for (int j = 2; j < m - 1; j++)
            B[3][j] = A[2][j] * (REAL)0.5;
#endif
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                A[i][j] = (REAL)0.5 * (B[i - 1][j] + B[i + 1][j]);
    }
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1), run(steps, n[0], n[1], b[0], b[1]),
        REALS("A", n[0] * n[1]), REALS("B", n[0] * n[1]))
