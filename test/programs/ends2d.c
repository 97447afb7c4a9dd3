/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a sweep does at the ends of its loops, by one of: GUARD, LEAVE (nothing is written there),
 * INNER (nor in the inner loop only), IFS, CHOICES (what is not there is not read), KEEP (cells
 * there stay), CLAMP, TERNARY (indices stop there), TAPS (as these, in loops over neighbours),
 * MIRROR, PERIODIC, MODULO (they come round), MIXED (two of these), FAR (two cells away). */
#include "harness.h"

#ifndef INDEX
#define INDEX int
#endif
#ifndef RESTRICT
#define RESTRICT
#endif
#define AT(i, j) ((i) * m + (j))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define STAR(c, u, d, l, r)                                                                        \
    (REAL)0.2 *                                                                                    \
        (in[c] + (REAL)1.1 * in[u] + (REAL)0.9 * in[d] + (REAL)1.2 * in[l] + (REAL)0.8 * in[r])
#define ALL(up, down, left, right)                                                                 \
    INDEX u = up, d = down, l = left, r = right;                                                   \
    out[AT(i, j)] = STAR(AT(i, j), AT(u, j), AT(d, j), AT(i, l), AT(i, r))
#define PLAIN out[AT(i, j)] = STAR(AT(i, j), AT(i - 1, j), AT(i + 1, j), AT(i, j - 1), AT(i, j + 1))

static void sweep(INDEX n, INDEX m, const REAL *RESTRICT in, REAL *RESTRICT out) {
    for (INDEX i = 0; i < n; i++) {
#if defined LEAVE
        if (i == 0 || i == n - 1)
            continue;
#endif
        for (INDEX j = 0; j < m; j++) {
#if defined GUARD
            if (i > 0 && i < n - 1 && j > 0 && j < m - 1)
                PLAIN;
#elif defined LEAVE
            if (j < 1 || j >= m - 2)
                continue;
            PLAIN;
#elif defined INNER
            if (j > 0 && j + 1 < m)
                out[AT(i, j)] = in[AT(i, j)] - (REAL)0.5 * (in[AT(i, j - 1)] + in[AT(i, j + 1)]);
#elif defined IFS
            REAL s = in[AT(i, j)];
            if (i > 0)
                s += in[AT(i - 1, j)];
            if (i < n - 1)
                s += (REAL)0.5 * in[AT(i + 1, j)];
            if (j > 0)
                s -= in[AT(i, j - 1)];
            if (j < m - 1)
                s += (REAL)0.25 * in[AT(i, j + 1)];
            out[AT(i, j)] = (REAL)0.3 * s;
#elif defined CHOICES
            REAL c = in[AT(i, j)], up = i > 0 ? in[AT(i - 1, j)] : c;
            REAL down = i < n - 1 ? in[AT(i + 1, j)] : (REAL)0;
            REAL left = j == 0 ? (REAL)1 : in[AT(i, j - 1)];
            out[AT(i, j)] = (REAL)0.25 * (c + up + down + left);
#elif defined KEEP
            if (i > 0 && i < n - 1 && j > 0 && j < m - 1)
                PLAIN;
            else
                out[AT(i, j)] = in[AT(i, j)];
#elif defined CLAMP
            ALL(MAX(i - 1, 0), MIN(i + 1, n - 1), MAX(j - 1, 0), MIN(j + 1, m - 1));
#elif defined TERNARY
            ALL(i == 0 ? 0 : i - 1, i == n - 1 ? i : i + 1, j == 0 ? 0 : j - 1,
                j == m - 1 ? m - 1 : j + 1);
#elif defined MIRROR
            ALL(i > 0 ? i - 1 : 1, i < n - 1 ? i + 1 : n - 2, j > 0 ? j - 1 : 1,
                j < m - 1 ? j + 1 : m - 2);
#elif defined PERIODIC
            ALL(i == 0 ? n - 1 : i - 1, i == n - 1 ? 0 : i + 1, j > 0 ? j - 1 : m - 1,
                j + 1 < m ? j + 1 : 0);
#elif defined MODULO
            ALL((i + n - 1) % n, (i + 1) % n, (j + m - 1) % m, (j + 1) % m);
#elif defined TAPS
            REAL s = 0;
            for (INDEX k = -1; k <= 1; k++)
                for (INDEX l = -1; l <= 1; l++) {
                    INDEX y = i + k, x = j + l;
                    if (y < 0)
                        y = 0;
                    else if (y >= n)
                        y = n - 1;
                    x = x < 0 ? 0 : x >= m ? m - 1 : x;
                    s += (REAL)(2 + k + 3 * l) * in[AT(y, x)];
                }
            out[AT(i, j)] = (REAL)0.1 * s;
#elif defined MIXED
            ALL(MAX(i - 1, 0), i == n - 1 ? 0 : i + 1, (j + m - 1) % m, MIN(j + 1, m - 1));
#else
            ALL(MAX(i - 2, 0), MIN(i + 2, n - 1), (j + m - 2) % m, (j + 1) % m);
#endif
        }
    }
}

KERNEL void drive(INDEX n, INDEX m, int steps, REAL *RESTRICT a, REAL *RESTRICT b) {
#ifdef MIRROR
    if (n < 2 || m < 2) /* there is nothing to mirror */
        return;
#endif
    for (int t = 0; t < steps; t++) {
        sweep(n, m, a, b);
        REAL *was = a;
        a = b;
        b = was;
    }
}

#if defined GUARD || defined LEAVE
#define CELLS INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1)
#elif defined INNER
#define CELLS n[0] * INSIDE(n[1], 1, 1)
#else
#define CELLS n[0] * n[1]
#endif

PROGRAM(2, CELLS, drive((INDEX)n[0], (INDEX)n[1], (int)steps, b[0], b[1]), REALS("A", n[0] * n[1]),
        REALS("B", n[0] * n[1]))
