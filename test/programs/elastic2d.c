/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Elastic waves on a staggered grid: velocities, stresses, three of them in one nest; material that
 * differs from cell to cell, damping that depends on one coordinate. */
#include "harness.h"

KERNEL void waves(int n, int m, int steps, REAL dt, REAL vx[n][m], REAL vy[n][m], REAL sxx[n][m],
                  REAL syy[n][m], REAL sxy[n][m], REAL rho[n][m], REAL mu[n][m], REAL damp[m]) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n; i++)
            for (int j = 1; j < m - 1; j++)
                vx[i][j] = damp[j] *
                           (vx[i][j] + dt * rho[i][j] *
                                           (sxx[i][j] - sxx[i - 1][j] + sxy[i][j] - sxy[i][j - 1]));
        for (int i = 0; i < n - 1; i++)
            for (int j = 0; j < m - 1; j++)
                vy[i][j] = damp[j] *
                           (vy[i][j] + dt * rho[i][j] *
                                           (sxy[i + 1][j] - sxy[i][j] + syy[i][j + 1] - syy[i][j]));
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                REAL xx = vx[i + 1][j] - vx[i][j], yy = vy[i][j] - vy[i][j - 1];
                sxx[i][j] += dt * mu[i][j] * (3 * xx + yy);
                syy[i][j] += dt * mu[i][j] * (xx + 3 * yy);
                sxy[i][j] += dt * mu[i][j] * (vx[i][j + 1] - vx[i][j] + vy[i][j] - vy[i - 1][j]);
            }
    }
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        waves(n[0], n[1], steps, (REAL)0.01, b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]),
        REALS("vx", n[0] * n[1]), REALS("vy", n[0] * n[1]), REALS("sxx", n[0] * n[1]),
        REALS("syy", n[0] * n[1]), REALS("sxy", n[0] * n[1]), REALS("rho", n[0] * n[1]),
        REALS("mu", n[0] * n[1]), REALS("damp", n[1]))
