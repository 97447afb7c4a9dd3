/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A box whose sum goes by columns. TYPE: of integers. */
#include "harness.h"

#ifdef TYPE
#define CELL TYPE
#define WEIGHT(x, y) (CELL)(3 + (x) + 2 * (y))
#else
#define CELL REAL
#define WEIGHT(x, y) (CELL)(0.037 + (x) * 0.001 + (y) * 0.002)
#endif
#define UNROLL _Pragma("unroll")

KERNEL void box(int n, int m, int steps, CELL a[2][n][m]) {
    for (int t = 0; t < steps; t++)
        for (int i = 2; i < n - 2; i++)
            for (int j = 2; j < m - 2; j++) {
                CELL s = 0;
                UNROLL for (int x = -2; x <= 2; x++) UNROLL for (int y = -2; y <= 2; y++) s +=
                    WEIGHT(x, y) * a[t % 2][i + y][j + x];
                a[(t + 1) % 2][i][j] = s;
            }
}

#ifdef TYPE
#define CELLS(count) INTEGERS("a", CELL, count, 0, 100)
#else
#define CELLS(count) REALS("a", count)
#endif
PROGRAM(2, INSIDE(n[0], 2, 2) * INSIDE(n[1], 2, 2), box(n[0], n[1], steps, b[0]),
        CELLS(2 * n[0] * n[1]))
