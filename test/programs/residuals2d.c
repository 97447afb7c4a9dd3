/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A residual of all cells in some steps only, which may end the loop. FORM=1: asked behind the
 * sweep. FORM=2: by the loop itself. FORM=3: with a copy back, the sum of squares. FORM=4: after as
 * many steps as an inner loop makes. FORM=5: two fields, and another value besides. */
#include "harness.h"

#ifndef FORM
#define FORM 1
#endif
#ifndef EVERY
#define EVERY 5
#endif
#ifndef LIMIT
#define LIMIT (REAL)0.05
#endif
#define AT(a, i, j) a[(i) * m + (j)]
#define INNER                                                                                      \
    for (int i = 1; i < n - 1; i++)                                                                \
        for (int j = 1; j < m - 1; j++)
#define MEAN(a)                                                                                    \
    ((REAL)0.25 * (AT(a, i - 1, j) + AT(a, i + 1, j) + AT(a, i, j - 1) + AT(a, i, j + 1)))
#define LARGER(x, y) ((x) > (y) ? (x) : (y))
#define ABS(x) ((x) < 0 ? -(x) : (x))

KERNEL int solve(int n, int m, int steps, REAL limit, REAL *u, REAL *v, REAL *p, REAL *q,
                 REAL *last) {
    int t = 0;
    REAL residual = 1, *swap;
#if FORM == 1
    for (t = 0; t < steps; t++) {
        INNER AT(v, i, j) = MEAN(u);
        if (t % EVERY == 0) {
            residual = 0;
            INNER residual = LARGER(residual, ABS(AT(v, i, j) - AT(u, i, j)));
            if (residual < limit)
                break;
        }
        swap = u;
        u = v;
        v = swap;
    }
#elif FORM == 2
    while (residual > limit && t < steps) {
        INNER AT(v, i, j) = MEAN(u);
        if (t % EVERY == EVERY - 1) {
            residual = 0;
            INNER residual = LARGER(residual, ABS(AT(v, i, j) - AT(u, i, j)));
        }
        swap = u;
        u = v;
        v = swap;
        t++;
    }
#elif FORM == 3
    for (t = 1; t <= steps; t++) {
        INNER AT(v, i, j) = MEAN(u);
        INNER AT(u, i, j) = AT(v, i, j);
        if (t % EVERY == 0) {
            residual = 0;
            INNER residual += (AT(u, i, j) - MEAN(u)) * (AT(u, i, j) - MEAN(u));
            if (residual < limit)
                break;
        }
    }
#elif FORM == 4
    while (residual > limit && t < steps) {
        for (int k = 0; k < EVERY; k++) {
            INNER AT(v, i, j) = MEAN(u);
            INNER AT(u, i, j) = AT(v, i, j);
        }
        residual = 0;
        INNER residual = LARGER(residual, ABS(AT(u, i, j) - MEAN(u)));
        t += EVERY;
    }
#else
    for (t = 0; t < steps; t++) {
        INNER AT(v, i, j) = MEAN(u) - (REAL)0.1 * AT(p, i, j);
        INNER AT(q, i, j) = AT(p, i, j) + (REAL)0.1 * (AT(v, i, j + 1) - AT(v, i - 1, j));
        if (t % EVERY == 2) {
            residual = 0;
            INNER residual = LARGER(residual, ABS(AT(q, i, j) - AT(p, i, j)));
            last[1] = residual;
            if (residual < limit)
                return t;
        }
        swap = u;
        u = v;
        v = swap;
        swap = p;
        p = q;
        q = swap;
    }
#endif
    last[0] = residual;
    return t;
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        *(int *)b[5] = solve(n[0], n[1], steps, LIMIT, b[0], b[1], b[2], b[3], b[4]),
        REALS("u", n[0] * n[1]), REALS("v", n[0] * n[1]), REALS("p", n[0] * n[1]),
        REALS("q", n[0] * n[1]), REALS("last", 2), INTEGERS("steps", int, 1, 0, 1))
