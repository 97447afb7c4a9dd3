/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Boxes whose sums do not go by planes: by columns, or GROUPED by distance from the centre, a
 * factor a group. TYPE: of integers. */
#include "harness.h"

#ifdef TYPE
#define CELL TYPE
#define WEIGHT(x, y, z) (CELL)(3 + (x) + 2 * (y) + 5 * (z))
#define FACTOR(k) (CELL)(7 - 2 * (k))
#else
#define CELL REAL
#define WEIGHT(x, y, z) (CELL)(0.037 + (x) * 0.001 + (y) * 0.002 - (z) * 0.003)
#define FACTOR(k) (CELL)(0.3 / ((k) * (k) * 3 + 1))
#endif
#define UNROLL _Pragma("unroll")

KERNEL void box(int n, int m, int p, int steps, CELL a[2][n][m][p]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                for (int k = 1; k < p - 1; k++) {
                    CELL s = 0;
#ifdef GROUPED
                    UNROLL for (int d = 0; d <= 3; d++) {
                        CELL group = 0;
                        UNROLL for (int z = -1; z <= 1; z++) UNROLL for (int y = -1; y <= 1; y++)
                            UNROLL for (int x = -1; x <= 1; x++) if (x * x + y * y + z * z == d)
                                group += a[t % 2][i + z][j + y][k + x];
                        s += FACTOR(d) * group;
                    }
#else
                    UNROLL for (int x = -1; x <= 1; x++) UNROLL for (int y = -1; y <= 1; y++)
                        UNROLL for (int z = -1; z <= 1; z++) s -=
                        WEIGHT(x, y, z) * a[t % 2][i + z][j + y][k + x];
#endif
                    a[(t + 1) % 2][i][j][k] = s;
                }
}

#ifdef TYPE
#define CELLS(count) INTEGERS("a", CELL, count, 0, 100)
#else
#define CELLS(count) REALS("a", count)
#endif
PROGRAM(3, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1) * INSIDE(n[2], 1, 1),
        box(n[0], n[1], n[2], steps, b[0]), CELLS(2 * n[0] * n[1] * n[2]))
