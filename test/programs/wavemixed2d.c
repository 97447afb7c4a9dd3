/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Statements of the cell two time steps back and of neighbours one step back, in shapes that the
 * wave equation does not have. Three arrays with the same boundary rotate. */
#include "harness.h"

#define AT(di, dj) now[(i + (di)) * m + j + (dj)]
#if BODY == 1 /* rows behind alone */
#define VALUE AT(-2, 1) + before[c] - (REAL)0.5 * AT(-1, -1)
#elif BODY == 2 /* rows behind, the cell two steps back early and late */
#define VALUE ((before[c] + AT(-3, 0)) * (REAL)0.25 + AT(-1, 1)) * (REAL)0.5 - before[c] * AT(1, 0)
#elif BODY == 3 /* rows ahead alone */
#define VALUE (REAL)0.3 * AT(1, -1) + (REAL)0.25 * AT(2, 0) - (REAL)0.125 * before[c] + force *t
#elif BODY == 4 /* its own row alone */
#define VALUE (AT(0, -2) + AT(0, 3) + before[c] * AT(0, 0)) * (REAL)0.3
#else /* row by row, the cell two steps back in the middle and at the end */
#define VALUE                                                                                      \
    (AT(-1, -1) + AT(-1, 1) + (AT(0, -1) + before[c]) + AT(1, 0) > 4 * before[c] ? AT(0, -1)       \
                                                                                 : before[c]) *    \
            (REAL)0.5 +                                                                            \
        force *(REAL)(t + i) - before[c] * (REAL)0.125
#endif

KERNEL void advance(int n, int m, int steps, REAL force, REAL *before, REAL *now, REAL *next) {
    for (int t = 0; t < steps; t++) {
        (void)force;
        for (int i = 3; i < n - 2; i++)
            for (int j = 2; j < m - 3; j++) {
                int c = i * m + j;
                next[c] = VALUE;
            }
        REAL *oldest = before;
        before = now;
        now = next;
        next = oldest;
    }
}

PROGRAM(2, INSIDE(n[0], 3, 2) * INSIDE(n[1], 2, 3),
        (share_border(n, 3, sizeof(REAL), 3, b),
         advance(n[0], n[1], steps, (REAL)0.03125, b[0], b[1], b[2])),
        REALS("before", n[0] * n[1]), REALS("now", n[0] * n[1]), REALS("next", n[0] * n[1]))
