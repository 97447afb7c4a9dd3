/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Steps of several sweeps over three fields, as electromagnetic waves have them. LAYERS: rows and
 * columns at the edges are set between the sweeps. CLOCK: values depend on the step and the cell. ROWS: the rows of one array are longer. SAME=k:
 * one array begins k elements behind another, and so they overlap. */
#include "harness.h"

#ifdef CLOCK
#define CLOCKED(i, j) +(REAL)(t + 3 * (i) - (j)) * (REAL)0.015625
#else
#define CLOCKED(i, j)
#endif

#ifndef ROWS
#define ROWS 0
#endif

KERNEL void fields(int steps, int n, int m, REAL ex[n][m], REAL ey[n][m + ROWS], REAL hz[n][m],
                   REAL edge) {
    if (n < 2 || m < 2)
        return;
    for (int t = 0; t < steps; t++) {
#ifdef LAYERS
        for (int j = 0; j < m; j++)
            ey[0][j] = edge CLOCKED(0, j);
#endif
        for (int i = 1; i < n; i++)
            for (int j = 0; j < m; j++)
                ey[i][j] = ey[i][j] - (REAL)0.5 * (hz[i][j] - hz[i - 1][j]);
        for (int i = 0; i < n; i++)
            for (int j = 1; j < m; j++)
                ex[i][j] = ex[i][j] - (REAL)0.5 * (hz[i][j] - hz[i][j - 1])CLOCKED(i, j);
#ifdef LAYERS
        for (int j = 0; j < m; j++)
            ex[n - 1][j] = ex[n - 2][j] CLOCKED(n, j);
        for (int i = 0; i < n; i++)
            ex[i][m - 1] = ex[i][m - 2] * edge CLOCKED(i, 3);
#endif
        for (int i = 0; i < n - 1; i++)
            for (int j = 0; j < m - 1; j++)
                hz[i][j] =
                    hz[i][j] - (REAL)0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j])
                        CLOCKED(i, j);
    }
}

#ifdef SAME
PROGRAM(2, INSIDE(n[0], 0, 1) * INSIDE(n[1], 0, 1),
        fields(steps, n[0], n[1], b[0], b[0] + SAME, b[1], (REAL)0.25),
        REALS("ex", n[0] * n[1] + SAME), REALS("hz", n[0] * n[1]))
#else
PROGRAM(2, INSIDE(n[0], 0, 1) * INSIDE(n[1], 0, 1),
        fields(steps, n[0], n[1], b[0], b[1], b[2], (REAL)0.25), REALS("ex", n[0] * n[1]),
        REALS("ey", n[0] * (n[1] + ROWS)), REALS("hz", n[0] * n[1]))
#endif
