/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A single 5x5 sweep with loops over a constant table of coefficients. */
#include "harness.h"

static const REAL K[5][5] = {{(REAL)0.003, (REAL)0.013, (REAL)0.022, (REAL)0.014, (REAL)0.004},
                             {(REAL)0.012, (REAL)0.059, (REAL)0.098, (REAL)0.061, (REAL)0.011},
                             {(REAL)0.021, (REAL)0.097, (REAL)0.162, (REAL)0.096, (REAL)0.023},
                             {(REAL)0.015, (REAL)0.058, (REAL)0.099, (REAL)0.057, (REAL)0.016},
                             {(REAL)0.005, (REAL)0.010, (REAL)0.020, (REAL)0.017, (REAL)0.006}};

KERNEL void blur(int n, int m, const REAL *restrict in, REAL *restrict out) {
    for (int i = 2; i < n - 2; i++)
        for (int j = 2; j < m - 2; j++) {
            REAL sum = 0;
            for (int y = 0; y < 5; y++)
                for (int x = 0; x < 5; x++)
                    sum += K[y][x] * in[(i + y - 2) * m + j + x - 2];
            out[i * m + j] = sum;
        }
}

PROGRAM(2, INSIDE(n[0], 2, 2) * INSIDE(n[1], 2, 2), blur(n[0], n[1], b[0], b[1]),
        REALS("in", n[0] * n[1]), REALS("out", n[0] * n[1]))
