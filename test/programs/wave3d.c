/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The wave equation in three dimensions, its speed the same everywhere; with -DRADIUS=2 of higher
 * order and with a speed of each cell. Three arrays with the same boundary rotate. */
#include "harness.h"

#ifndef RADIUS
#define RADIUS 1
#endif
#define AROUND(d)                                                                                  \
    (now[c - (d)] + now[c + (d)] + now[c - (d) * l] + now[c + (d) * l] + now[c - (d) * m * l] +    \
     now[c + (d) * m * l])
#if RADIUS == 1
#define PUSH (REAL)0.15 * (AROUND(1) - 6 * now[c])
#else
#define PUSH speed[c] * ((REAL)0.16 * AROUND(1) - (REAL)0.01 * AROUND(2) - (REAL)0.9 * now[c])
#endif

KERNEL void wave(int n, int m, int l, int steps, const REAL *speed, REAL *before, REAL *now,
                 REAL *next) {
    (void)speed;
    for (int t = 0; t < steps; t++) {
        for (int i = RADIUS; i < n - RADIUS; i++)
            for (int j = RADIUS; j < m - RADIUS; j++)
                for (int k = RADIUS; k < l - RADIUS; k++) {
                    int c = (i * m + j) * l + k;
                    next[c] = 2 * now[c] - before[c] + PUSH;
                }
        REAL *oldest = before;
        before = now;
        now = next;
        next = oldest;
    }
}

#define CELLS (n[0] * n[1] * n[2])
PROGRAM(3,
        INSIDE(n[0], RADIUS, RADIUS) * INSIDE(n[1], RADIUS, RADIUS) * INSIDE(n[2], RADIUS, RADIUS),
        (share_border(n, RADIUS, sizeof(REAL), 3, b + 1),
         wave(n[0], n[1], n[2], steps, b[0], b[1], b[2], b[3])),
        REALS("speed", CELLS), REALS("before", CELLS), REALS("now", CELLS), REALS("next", CELLS))
