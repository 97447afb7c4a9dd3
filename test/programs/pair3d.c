/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Two sweeps a time step, three dimensions. */
#include "harness.h"

#define SWEEP(to, from)                                                                            \
    for (int i = 1; i < n - 1; i++)                                                                \
        for (int j = 1; j < m - 1; j++)                                                            \
            for (int k = 1; k < l - 1; k++)                                                        \
                to[i][j][k] =                                                                      \
                    (REAL)0.125 *                                                                  \
                        (from[i + 1][j][k] - (REAL)2.0 * from[i][j][k] + from[i - 1][j][k]) +      \
                    (REAL)0.125 *                                                                  \
                        (from[i][j + 1][k] - (REAL)2.0 * from[i][j][k] + from[i][j - 1][k]) +      \
                    (REAL)0.125 *                                                                  \
                        (from[i][j][k + 1] - (REAL)2.0 * from[i][j][k] + from[i][j][k - 1]) +      \
                    from[i][j][k];

KERNEL void heat(int n, int m, int l, int steps, REAL A[n][m][l], REAL B[n][m][l]) {
    for (int t = 1; t <= steps; t++) {
        SWEEP(B, A)
        SWEEP(A, B)
    }
}

PROGRAM(3, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1) * INSIDE(n[2], 1, 1),
        heat(n[0], n[1], n[2], steps, b[0], b[1]), REALS("A", n[0] * n[1] * n[2]),
        REALS("B", n[0] * n[1] * n[2]))
