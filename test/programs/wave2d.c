/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The wave equation: three arrays rotate. They have the same boundary, unless -DAPART. With -DFIELD
 * a second sweep adds the wave's slope to a field. With -DHEAT the oldest array is not read. */
#include "harness.h"

#ifdef APART
#define share_border(n, width, bytes, count, arrays) ((void)0)
#endif

#ifdef HEAT
#define INERTIA(now, before) (now)
#else
#define INERTIA(now, before) (2 * (now) - (before))
#endif

#ifdef FIELD
#define FIELDS 1
#else
#define FIELDS 0
#endif

KERNEL void wave(int n, int m, int steps, REAL *before, REAL *now, REAL *next, REAL *field) {
    (void)field;
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                next[i * m + j] =
                    INERTIA(now[i * m + j], before[i * m + j]) +
                    (REAL)0.2 * (now[(i - 1) * m + j] + now[(i + 1) * m + j] + now[i * m + j - 1] +
                                 now[i * m + j + 1] - 4 * now[i * m + j]);
        for (int i = 1; i < n - 1 && FIELDS; i++)
            for (int j = 1; j < m - 1; j++)
                field[i * m + j] += (REAL)0.01 * (next[(i - 1) * m + j] - next[(i + 1) * m + j]);
        REAL *oldest = before;
        before = now;
        now = next;
        next = oldest;
    }
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        (share_border(n, 1, sizeof(REAL), 3, b), wave(n[0], n[1], steps, b[0], b[1], b[2], b[3])),
        REALS("before", n[0] * n[1]), REALS("now", n[0] * n[1]), REALS("next", n[0] * n[1]),
        REALS("field", n[0] * n[1] * FIELDS + 1))
