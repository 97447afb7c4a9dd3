/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Shallow water: height and two discharges, reflecting edges before each step, new values in arrays
 * of their own that take the old ones' place. -DPARITY: u[t % 2]. -DFADES: one discharge becomes
 * denormal after 200 to 900 steps; GPUs divide these slowly. */
#include "harness.h"

#ifdef FADES
#define DRIVEN(height) 0
#else
#define DRIVEN(height) (REAL)0.1 * (height)
#endif

#ifdef PARITY
#define OLD(a) a[t % 2]
#define NEW(a) a[(t + 1) % 2]
#else
#define OLD(a) a[0]
#define NEW(a) a[1]
#endif

KERNEL void flow(int n, int m, int steps, REAL h[2][n][m], REAL u[2][n][m], REAL v[2][n][m]) {
    if (n < 3 || m < 3)
        return;
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++) {
            OLD(h)[i][0] = OLD(h)[i][1];
            OLD(u)[i][0] = OLD(u)[i][1];
            OLD(v)[i][0] = -OLD(v)[i][1];
        }
        for (int i = 0; i < n; i++) {
            OLD(h)[i][m - 1] = OLD(h)[i][m - 2];
            OLD(u)[i][m - 1] = OLD(u)[i][m - 2];
            OLD(v)[i][m - 1] = -OLD(v)[i][m - 2];
        }
        for (int j = 0; j < m; j++) {
            OLD(h)[0][j] = OLD(h)[1][j];
            OLD(u)[0][j] = -OLD(u)[1][j];
            OLD(h)[n - 1][j] = OLD(h)[n - 2][j];
            OLD(u)[n - 1][j] = -OLD(u)[n - 2][j];
        }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                REAL height = (REAL)0.25 * (OLD(h)[i - 1][j] + OLD(h)[i + 1][j] + OLD(h)[i][j - 1] +
                                            OLD(h)[i][j + 1]);
                NEW(h)
                [i][j] = height - (REAL)0.05 * (OLD(u)[i + 1][j] - OLD(u)[i - 1][j] +
                                                OLD(v)[i][j + 1] - OLD(v)[i][j - 1]);
                NEW(u)[i][j] = (OLD(u)[i][j] + DRIVEN(height)) / (1 + height * height);
                NEW(v)[i][j] = OLD(v)[i][j] - (REAL)0.1 * (OLD(h)[i][j + 1] - OLD(h)[i][j - 1]);
            }
#ifndef PARITY
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                h[0][i][j] = h[1][i][j];
                u[0][i][j] = u[1][i][j];
                v[0][i][j] = v[1][i][j];
            }
#endif
    }
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1), flow(n[0], n[1], steps, b[0], b[1], b[2]),
        REALS("h", 2 * n[0] * n[1]), REALS("u", 2 * n[0] * n[1]), REALS("v", 2 * n[0] * n[1]))
