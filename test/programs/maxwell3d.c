/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Yee's scheme in 3-D: six fields in place, two sweeps a step. SOURCE: a plane is set in each step.
 */
#include "harness.h"

KERNEL void fields(long n, long m, long l, int steps, REAL ex[n][m][l], REAL ey[n][m][l],
                   REAL ez[n][m][l], REAL hx[n][m][l], REAL hy[n][m][l], REAL hz[n][m][l]) {
    if (n < 2 || m < 2 || l < 2)
        return;
    for (int t = 0; t < steps; t++) {
        for (long i = 1; i < n; i++)
            for (long j = 1; j < m; j++)
                for (long k = 1; k < l; k++) {
                    ex[i][j][k] +=
                        (REAL)0.5 * (hz[i][j][k] - hz[i][j - 1][k] - hy[i][j][k] + hy[i - 1][j][k]);
                    ey[i][j][k] +=
                        (REAL)0.5 * (hx[i][j][k] - hx[i - 1][j][k] - hz[i][j][k] + hz[i][j][k - 1]);
                    ez[i][j][k] +=
                        (REAL)0.5 * (hy[i][j][k] - hy[i][j][k - 1] - hx[i][j][k] + hx[i][j - 1][k]);
                }
#ifdef SOURCE
        for (long j = 0; j < m; j++)
            for (long k = 0; k < l; k++)
                ey[0][j][k] = (REAL)t * (REAL)0.03125;
#endif
        for (long i = 0; i < n - 1; i++)
            for (long j = 0; j < m - 1; j++)
                for (long k = 0; k < l - 1; k++) {
                    hx[i][j][k] -=
                        (REAL)0.5 * (ez[i][j + 1][k] - ez[i][j][k] - ey[i + 1][j][k] + ey[i][j][k]);
                    hy[i][j][k] -=
                        (REAL)0.5 * (ex[i + 1][j][k] - ex[i][j][k] - ez[i][j][k + 1] + ez[i][j][k]);
                    hz[i][j][k] -=
                        (REAL)0.5 * (ey[i][j][k + 1] - ey[i][j][k] - ex[i][j + 1][k] + ex[i][j][k]);
                }
    }
}

PROGRAM(3, INSIDE(n[0], 0, 1) * INSIDE(n[1], 0, 1) * INSIDE(n[2], 0, 1),
        fields(n[0], n[1], n[2], steps, b[0], b[1], b[2], b[3], b[4], b[5]),
        REALS("ex", n[0] * n[1] * n[2]), REALS("ey", n[0] * n[1] * n[2]),
        REALS("ez", n[0] * n[1] * n[2]), REALS("hx", n[0] * n[1] * n[2]),
        REALS("hy", n[0] * n[1] * n[2]), REALS("hz", n[0] * n[1] * n[2]))
