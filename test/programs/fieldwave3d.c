/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A wave of two fields in 3-D: velocities of the field's neighbours, then the field of velocities.
 */
#include "harness.h"

KERNEL void swing(long n, long m, long l, int steps, REAL u[n][m][l], REAL v[n][m][l],
                  const REAL damp[n][m][l]) {
    if (n < 3 || m < 3 || l < 3)
        return;
    for (int t = 0; t < steps; t++) {
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < m - 1; j++)
                for (long k = 1; k < l - 1; k++)
                    v[i][j][k] = v[i][j][k] * damp[i][j][k] +
                                 (REAL)0.1 * (u[i - 1][j][k] + u[i + 1][j][k] + u[i][j - 1][k] +
                                              u[i][j + 1][k] + u[i][j][k - 1] + u[i][j][k + 1] -
                                              6 * u[i][j][k]);
        for (long i = 0; i < n; i++)
            for (long j = 0; j < m; j++)
                for (long k = 0; k < l; k++)
                    u[i][j][k] += v[i][j][k];
    }
}

PROGRAM(3, n[0] * n[1] * n[2], swing(n[0], n[1], n[2], steps, b[0], b[1], b[2]),
        REALS("u", n[0] * n[1] * n[2]), REALS("v", n[0] * n[1] * n[2]),
        REALS("damp", n[0] * n[1] * n[2]))
