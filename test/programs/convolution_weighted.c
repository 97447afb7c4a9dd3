/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A single sweep in which each cell has a coefficient of its own. */
#include "harness.h"

KERNEL void blur(int n, int m, const REAL in[n][m], const REAL w[n][m], REAL out[n][m]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            out[i][j] = w[i][j] * in[i][j] +
                        (1 - w[i][j]) * (REAL)0.125 *
                            (in[i - 1][j - 1] + in[i - 1][j] + in[i - 1][j + 1] + in[i][j - 1] +
                             in[i][j + 1] + in[i + 1][j - 1] + in[i + 1][j] + in[i + 1][j + 1]);
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1), blur(n[0], n[1], b[0], b[1], b[2]),
        REALS("in", n[0] * n[1]), REALS("w", n[0] * n[1]), REALS("out", n[0] * n[1]))
