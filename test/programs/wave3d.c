/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The wave equation in three dimensions: three arrays rotate. They have the same boundary. */
#include "harness.h"

KERNEL void wave(int n, int m, int l, int steps, REAL *before, REAL *now, REAL *next) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                for (int k = 1; k < l - 1; k++) {
                    int c = (i * m + j) * l + k;
                    next[c] = 2 * now[c] - before[c] +
                              (REAL)0.15 * (now[c - 1] + now[c + 1] + now[c - l] + now[c + l] +
                                            now[c - m * l] + now[c + m * l] - 6 * now[c]);
                }
        REAL *oldest = before;
        before = now;
        now = next;
        next = oldest;
    }
}

#define CELLS (n[0] * n[1] * n[2])
PROGRAM(3, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1) * INSIDE(n[2], 1, 1),
        (share_border(n, 1, sizeof(REAL), 3, b), wave(n[0], n[1], n[2], steps, b[0], b[1], b[2])),
        REALS("before", CELLS), REALS("now", CELLS), REALS("next", CELLS))
