/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Wave equation of order 2 * RADIUS in space, damped by a coefficient of each cell. Three arrays
 * rotate; or, with -DIN_PLACE, two: the new time level takes the place of the oldest. They have the
 * same boundary. */
#include "harness.h"

#ifndef RADIUS
#define RADIUS 2
#endif
#if RADIUS == 2
#define SECOND(at, s) (16 * (at[-s] + at[s]) - (at[-2 * s] + at[2 * s]) - 30 * at[0]) / 12
#else
#define SECOND(at, s)                                                                              \
    ((REAL)1.6 * (at[-s] + at[s]) - (REAL)0.2 * (at[-2 * s] + at[2 * s]) +                         \
     (REAL)0.0254 * (at[-3 * s] + at[3 * s]) - (REAL)0.0018 * (at[-4 * s] + at[4 * s]) -           \
     (REAL)2.8472 * at[0])
#endif

#ifdef IN_PLACE
#define OLDEST(c) next[c]
#else
#define OLDEST(c) before[c]
#endif

KERNEL void wave(int n, int m, int steps, const REAL *damping, REAL *before, REAL *now,
                 REAL *next) {
    (void)before;
    for (int t = 0; t < steps; t++) {
        for (int i = RADIUS; i < n - RADIUS; i++)
            for (int j = RADIUS; j < m - RADIUS; j++) {
                int c = i * m + j;
                const REAL *at = now + c;
                next[c] = damping[c] * ((2 - (REAL)0.1 * damping[c]) * now[c] - OLDEST(c)) +
                          (REAL)0.2 * (SECOND(at, 1) + SECOND(at, m));
            }
#ifndef IN_PLACE
        REAL *oldest = before;
        before = now;
        now = next;
        next = oldest;
#else
        REAL *oldest = now;
        now = next;
        next = oldest;
#endif
    }
}

#define CELLS (n[0] * n[1])
PROGRAM(2, INSIDE(n[0], RADIUS, RADIUS) * INSIDE(n[1], RADIUS, RADIUS),
        (share_border(n, RADIUS, sizeof(REAL), 3, b + 1),
         wave(n[0], n[1], steps, b[0], b[1], b[2], b[3])),
        REALS("damping", CELLS), REALS("before", CELLS), REALS("now", CELLS), REALS("next", CELLS))
