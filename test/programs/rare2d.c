/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Steps of several sweeps of which some write under conditions (MASK), and some are made in every
 * N-th step. */
#include "harness.h"

KERNEL void run(int steps, int n, int m, REAL a[n][m], REAL b[n][m], const int32_t mask[n][m]) {
    if (n < 5 || m < 5)
        return;
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] += (REAL)0.2 * (a[i - 1][j] - a[i][j + 1]);
        if (t % 3 == 1)
            for (int i = 0; i < n; i++)
                for (int j = 0; j < m; j++)
                    b[i][j] *= (REAL)0.5;
#ifdef MASK
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                if (mask[i][j] > 1)
                    a[i][j] = (REAL)0.25 * (b[i - 1][j] + b[i][j + 1]) - a[i][j];
#endif
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] += (REAL)0.3 * (b[i + 1][j] - b[i][j - 1]);
    }
}

PROGRAM(2, INSIDE(n[0], 2, 2) * INSIDE(n[1], 2, 2),
        run((int)steps, (int)n[0], (int)n[1], b[0], b[1], b[2]), REALS("a", n[0] * n[1]),
        REALS("b", n[0] * n[1]), INTEGERS("mask", int32_t, n[0] * n[1], 0, 4))
