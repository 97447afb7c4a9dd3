/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A wave of three time levels in two arrays, which change places: the older one becomes the newer.
 * Beside it a field of its own; LAYERS: edges that absorb, and a source in a cell. */
#include "harness.h"

KERNEL void run(int steps, int n, int m, REAL (*a)[m], REAL (*b)[m], REAL p[n][m], REAL *source) {
    if (n < 6 || m < 6)
        return;
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 2; j < m - 1; j++)
                b[i][j] = 2 * a[i][j] - b[i][j] +
                          (REAL)0.2 *
                              (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1] - 4 * a[i][j]);
#ifdef LAYERS
        for (int j = 0; j < m; j++)
            b[0][j] = a[1][j] - (REAL)0.25 * (b[1][j] - a[0][j]);
        for (int j = 0; j < m; j++)
            b[n - 1][j] = a[n - 2][j] - (REAL)0.25 * (b[n - 2][j] - a[n - 1][j]);
        b[3][2] += source[t];
#endif
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m; j++)
                p[i][j] = (REAL)0.5 * p[i][j] + b[i][j - 1] - a[i - 1][j];
        REAL(*swap)[m] = a;
        a = b;
        b = swap;
    }
}

PROGRAM(2, INSIDE(n[0], 3, 2) * INSIDE(n[1], 3, 2),
        run((int)steps, (int)n[0], (int)n[1], b[0], b[1], b[2], b[3]), REALS("a", n[0] * n[1]),
        REALS("b", n[0] * n[1]), REALS("p", n[0] * n[1]), REALS("source", 16))
