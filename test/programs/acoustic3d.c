/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Pressure and velocities in 3-D, in place, two sweeps a step. ROWS: the coefficient is one a row.
 * LAYERS: a face's pressure is set in between. */
#include "harness.h"

#ifdef ROWS
#define SPEED speed[i * m + j]
#define SPEEDS n[0] * n[1]
#elif defined CELLS
#define SPEED speed[(i * m + j) * l + k]
#define SPEEDS n[0] * n[1] * n[2]
#else
#define SPEED (REAL)0.3
#define SPEEDS 1
#endif

KERNEL void move(long n, long m, long l, int steps, REAL p[n][m][l], REAL vx[n][m][l],
                 REAL vy[n][m][l], REAL vz[n][m][l], const REAL *speed) {
    if (n < 2 || m < 2 || l < 2)
        return;
    for (int t = 0; t < steps; t++) {
        for (long i = 1; i < n; i++)
            for (long j = 1; j < m; j++)
                for (long k = 1; k < l; k++) {
                    vx[i][j][k] -= SPEED * (p[i][j][k] - p[i][j][k - 1]);
                    vy[i][j][k] -= SPEED * (p[i][j][k] - p[i][j - 1][k]);
                    vz[i][j][k] -= SPEED * (p[i][j][k] - p[i - 1][j][k]);
                }
#ifdef LAYERS
        for (long i = 0; i < n; i++)
            for (long k = 0; k < l; k++)
                p[i][0][k] = p[i][1][k] * (REAL)0.5;
        for (long j = 0; j < m; j++)
            for (long k = 0; k < l; k++)
                p[n - 1][j][k] = (REAL)(t + j) * (REAL)0.0625;
#endif
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < m - 1; j++)
                for (long k = 1; k < l - 1; k++)
                    p[i][j][k] -= (REAL)0.4 * (vx[i][j][k + 1] - vx[i][j][k] + vy[i][j + 1][k] -
                                               vy[i][j][k] + vz[i + 1][j][k] - vz[i][j][k]);
    }
}

PROGRAM(3, INSIDE(n[0], 0, 1) * INSIDE(n[1], 0, 1) * INSIDE(n[2], 0, 1),
        move(n[0], n[1], n[2], steps, b[0], b[1], b[2], b[3], b[4]), REALS("p", n[0] * n[1] * n[2]),
        REALS("vx", n[0] * n[1] * n[2]), REALS("vy", n[0] * n[1] * n[2]),
        REALS("vz", n[0] * n[1] * n[2]), REALS("speed", SPEEDS))
