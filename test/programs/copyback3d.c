/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Three dimensions, copied back by a loop or, with -DROWS, a memcpy a row. */
#include "harness.h"

KERNEL void heat(int l, int n, int m, int steps, REAL A[l][n][m], REAL B[l][n][m],
                 REAL K[l][n][m]) {
    for (int t = 0; t < steps; t++) {
        for (int k = 1; k < l - 1; k++)
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < m - 1; j++)
                    B[k][i][j] = A[k][i][j] + K[k][i][j] * (A[k][i][j - 1] + A[k][i + 1][j] +
                                                            A[k - 1][i][j] - 3 * A[k][i][j]);
        for (int k = 1; k < l - 1; k++)
            for (int i = 1; i < n - 1; i++)
#ifdef ROWS
                memcpy(&A[k][i][1], &B[k][i][1], (size_t)(m - 2) * sizeof(REAL));
#else
                for (int j = 1; j < m - 1; j++)
                    A[k][i][j] = B[k][i][j];
#endif
    }
}

PROGRAM(3, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1) * INSIDE(n[2], 1, 1),
        heat((int)n[0], (int)n[1], (int)n[2], (int)steps, b[0], b[1], b[2]),
        REALS("A", n[0] * n[1] * n[2]), REALS("B", n[0] * n[1] * n[2]),
        REALS("K", n[0] * n[1] * n[2]))
