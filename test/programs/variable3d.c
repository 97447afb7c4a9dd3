/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Seven read-only coefficient grids, one for each neighbour. */
#include "harness.h"

KERNEL void diffuse(int n, int m, int l, int steps, REAL A[2][n][m][l], const REAL c0[n][m][l],
                    const REAL c1[n][m][l], const REAL c2[n][m][l], const REAL c3[n][m][l],
                    const REAL c4[n][m][l], const REAL c5[n][m][l], const REAL c6[n][m][l]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                for (int k = 1; k < l - 1; k++)
                    A[(t + 1) % 2][i][j][k] =
                        (REAL)0.14 *
                        (c0[i][j][k] * A[t % 2][i][j][k] + c1[i][j][k] * A[t % 2][i - 1][j][k] +
                         c2[i][j][k] * A[t % 2][i + 1][j][k] + c3[i][j][k] * A[t % 2][i][j - 1][k] +
                         c4[i][j][k] * A[t % 2][i][j + 1][k] + c5[i][j][k] * A[t % 2][i][j][k - 1] +
                         c6[i][j][k] * A[t % 2][i][j][k + 1]);
}

#define CELLS (n[0] * n[1] * n[2])
PROGRAM(3, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1) * INSIDE(n[2], 1, 1),
        diffuse(n[0], n[1], n[2], steps, b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]),
        REALS("A", 2 * CELLS), REALS("c0", CELLS), REALS("c1", CELLS), REALS("c2", CELLS),
        REALS("c3", CELLS), REALS("c4", CELLS), REALS("c5", CELLS), REALS("c6", CELLS))
