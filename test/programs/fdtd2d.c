/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* PolyBench's fdtd-2d: three arrays, a source along an edge that changes with time. */
#include "harness.h"

KERNEL void fdtd(int steps, int n, int m, REAL ex[n][m], REAL ey[n][m], REAL hz[n][m],
                 REAL *source) {
    for (int t = 0; t < steps; t++) {
        for (int j = 0; j < m; j++)
            ey[0][j] = source[t];
        for (int i = 1; i < n; i++)
            for (int j = 0; j < m; j++)
                ey[i][j] = ey[i][j] - (REAL)0.5 * (hz[i][j] - hz[i - 1][j]);
        for (int i = 0; i < n; i++)
            for (int j = 1; j < m; j++)
                ex[i][j] = ex[i][j] - (REAL)0.5 * (hz[i][j] - hz[i][j - 1]);
        for (int i = 0; i < n - 1; i++)
            for (int j = 0; j < m - 1; j++)
                hz[i][j] =
                    hz[i][j] - (REAL)0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
    }
}

PROGRAM(2, INSIDE(n[0], 0, 1) * INSIDE(n[1], 0, 1), fdtd(steps, n[0], n[1], b[0], b[1], b[2], b[3]),
        REALS("ex", n[0] * n[1]), REALS("ey", n[0] * n[1]), REALS("hz", n[0] * n[1]),
        REALS("source", 16))
