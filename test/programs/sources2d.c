/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Steps of several sweeps with values of each step, source[t], at an edge (EDGE), in a cell (CELL)
 * or in all cells, of this and of other steps; and with coefficients from an array. BACK: the
 * values are read from the last one on. WRITTEN: a sweep writes one of them. */
#include "harness.h"

#ifdef BACK
#define SOURCE(k) source[15 - t - (k)]
#else
#define SOURCE(k) source[t + (k)]
#endif

KERNEL void run(int steps, int n, int m, REAL a[n][m], REAL b[n][m], REAL *source, const REAL *c) {
    if (n < 5 || m < 5)
        return;
    for (int t = 0; t < steps; t++) {
#ifdef EDGE
        for (int j = 0; j < m; j++)
            a[0][j] = SOURCE(0);
        for (int i = 0; i < n; i++)
            a[i][m - 1] = a[i][m - 2] + SOURCE(1);
#endif
        for (int i = 1; i < n; i++)
            for (int j = 0; j < m; j++)
                b[i][j] = c[2] * b[i][j] - c[0] * (a[i][j] - a[i - 1][j]) + SOURCE(2);
#ifdef WRITTEN
        for (int k = 0; k < 1; k++)
            source[7] = source[7] * (REAL)0.5;
#endif
#ifdef CELL
        b[3][2] += SOURCE(1) - SOURCE(0);
#endif
        for (int i = 0; i < n - 1; i++)
            for (int j = 1; j < m; j++)
                a[i][j] = a[i][j] - c[1] * (b[i + 1][j] - b[i][j - 1]) * SOURCE(0);
    }
}

PROGRAM(2, INSIDE(n[0], 2, 2) * INSIDE(n[1], 2, 2), run(steps, n[0], n[1], b[0], b[1], b[2], b[3]),
        REALS("a", n[0] * n[1]), REALS("b", n[0] * n[1]), REALS("source", 18), REALS("c", 3))
