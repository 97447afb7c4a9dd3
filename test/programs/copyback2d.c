/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The result is copied back after each sweep, by a loop or, with -DMEMCPY, a memcpy. */
#include "harness.h"

KERNEL void heat(int n, int m, int steps, REAL A[n][m], REAL B[n][m]) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                B[i][j] = (REAL)0.6 * A[i][j] + (REAL)0.1 * (A[i - 1][j] + A[i + 1][j]) +
                          (REAL)0.09 * (A[i][j - 1] + A[i][j + 1]);
#ifdef MEMCPY
        memcpy(A, B, (size_t)n * m * sizeof(REAL));
#else
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                A[i][j] = B[i][j];
#endif
    }
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1), heat(n[0], n[1], steps, b[0], b[1]),
        REALS("A", n[0] * n[1]), REALS("B", n[0] * n[1]))
