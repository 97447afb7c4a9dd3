/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Pressure and two velocities in a medium that differs from cell to cell: each sweep averages it
 * over rows that its own row reaches before and after it, and over columns; a mask of bytes, and a
 * grid of doubles. CLAMP: rows of the medium are clamped at the ends. ROUND: all indices come
 * round. LAYER: the first row is set from the medium. LATE: fields are scaled at the step's end,
 * after others have read them. */
#include "harness.h"

#ifdef CLAMP
#define UP (i > 0 ? i - 1 : 0)
#define DOWN (i < n - 1 ? i + 1 : n - 1)
#define ROWS 0
#else
#define UP (i - 2)
#define DOWN (i + 2)
#define ROWS 2
#endif

KERNEL void run(int n, int m, int steps, REAL p[n][m], REAL u[n][m], REAL v[n][m],
                const REAL light[n][m], const double heavy[n][m], const signed char mask[n][m],
                const REAL row[n], const REAL column[m]) {
    if (n < 6 || m < 6)
        return;
    for (int t = 0; t < steps; t++) {
#ifdef ROUND
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                int up = (i + n - 1) % n, right = (j + 1) % m;
                u[i][j] += light[i][j] * (p[i][j] - p[up][j]) * light[up][j];
                v[i][j] += (REAL)heavy[i][j] * (p[i][right] - p[i][j]) + mask[i][j];
            }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                int down = (i + 1) % n, left = (j + m - 1) % m;
                p[i][j] += light[down][j] * (u[down][j] - u[i][j]) +
                           light[i][left] * (v[i][j] - v[i][left]);
            }
#else
        for (int i = 1; i < n; i++)
            for (int j = 1; j < m - 1; j++)
                u[i][j] += light[i][j] * (p[i][j] - p[i - 1][j]) * light[i - 1][j] + row[i];
        for (int i = ROWS; i < n - ROWS; i++)
            for (int j = 1; j < m - 1; j++)
                v[i][j] += (REAL)heavy[UP][j] * (p[i][j + 1] - p[i][j]) + (REAL)heavy[DOWN][j];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                p[i][j] = (mask[i][j] ? p[i][j] : column[j]) +
                          light[i + 1][j] * (u[i + 1][j] - u[i][j]) +
                          light[i][j - 1] * (v[i][j] - v[i][j - 1]);
#ifdef LAYER
        for (int j = 0; j < m; j++)
            p[0][j] = light[1][j] - p[2][j];
#endif
#ifdef LATE
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                u[i][j] *= light[i][j];
                v[i][j] *= light[i][j];
            }
#endif
#endif
    }
}

PROGRAM(2, INSIDE(n[0], 3, 3) * INSIDE(n[1], 3, 3),
        run((int)n[0], (int)n[1], (int)steps, b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]),
        REALS("p", n[0] * n[1]), REALS("u", n[0] * n[1]), REALS("v", n[0] * n[1]),
        REALS("light", n[0] * n[1]), {"heavy", 'f', sizeof(double), n[0] * n[1], 0, 0, 0},
        INTEGERS("mask", signed char, n[0] * n[1], 0, 2), REALS("row", n[0]), REALS("column", n[1]))
