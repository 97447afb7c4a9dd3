/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Advection in two stages (Heun), second order with limited slopes; a constant wind, or -DWIND: one
 * of each cell. Cells at the edges are those beside them, before each stage; -DFLUX: fluxes are
 * swept into arrays of their own. */
#include "harness.h"

static inline REAL slope(REAL l, REAL c, REAL r) {
    REAL a = c - l, b = r - c, least = a * a < b * b ? a : b;
    return a * b > 0 ? least : 0;
}

/* What flows over the face between c and r; l is beyond c. */
static inline REAL over(REAL l, REAL c, REAL r) {
    return c + (REAL)0.5 * slope(l, c, r);
}

#define EDGES(a)                                                                                   \
    for (int j = 0; j < m; j++) {                                                                  \
        a[0][j] = a[1][j] = a[2][j];                                                               \
        a[n - 1][j] = a[n - 2][j] = a[n - 3][j];                                                   \
    }                                                                                              \
    for (int i = 0; i < n; i++) {                                                                  \
        a[i][0] = a[i][1] = a[i][2];                                                               \
        a[i][m - 1] = a[i][m - 2] = a[i][m - 3];                                                   \
    }
#ifdef WIND
#define X wind_x[i][j]
#define Y wind_y[i][j]
#else
#define X (REAL)0.2
#define Y (REAL)0.15
#endif
#define CHANGE(a)                                                                                  \
    (X * (over(a[i][j - 2], a[i][j - 1], a[i][j]) - over(a[i][j - 1], a[i][j], a[i][j + 1])) +     \
     Y * (over(a[i - 2][j], a[i - 1][j], a[i][j]) - over(a[i - 1][j], a[i][j], a[i + 1][j])))

KERNEL void advect(int n, int m, int steps, REAL u[n][m], REAL v[n][m], const REAL wind_x[n][m],
                   const REAL wind_y[n][m], REAL fx[n][m], REAL fy[n][m]) {
    if (n < 6 || m < 6)
        return;
    for (int t = 0; t < steps; t++) {
        EDGES(u)
#ifdef FLUX
        for (int i = 2; i < n - 1; i++)
            for (int j = 2; j < m - 1; j++) {
                fx[i][j] = X * over(u[i][j - 2], u[i][j - 1], u[i][j]);
                fy[i][j] = Y * over(u[i - 2][j], u[i - 1][j], u[i][j]);
            }
        for (int i = 2; i < n - 2; i++)
            for (int j = 2; j < m - 2; j++)
                v[i][j] = u[i][j] - (fx[i][j + 1] - fx[i][j] + fy[i + 1][j] - fy[i][j]);
#else
        for (int i = 2; i < n - 2; i++)
            for (int j = 2; j < m - 2; j++)
                v[i][j] = u[i][j] + CHANGE(u);
#endif
        EDGES(v)
        for (int i = 2; i < n - 2; i++)
            for (int j = 2; j < m - 2; j++)
                u[i][j] = (REAL)0.5 * (u[i][j] + v[i][j] + CHANGE(v));
    }
}

PROGRAM(2, INSIDE(n[0], 2, 2) * INSIDE(n[1], 2, 2),
        advect(n[0], n[1], steps, b[0], b[1], b[2], b[3], b[4], b[5]), REALS("u", n[0] * n[1]),
        REALS("v", n[0] * n[1]), REALS("wind_x", n[0] * n[1]), REALS("wind_y", n[0] * n[1]),
        REALS("fx", n[0] * n[1]), REALS("fy", n[0] * n[1]))
