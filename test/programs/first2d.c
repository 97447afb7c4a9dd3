/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A plate whose time loop ends when the greatest of its changes is small. The search for it starts
 * from the first cell, leaves out what is no number, and is a nest of its own. LEAST: the least
 * one. BEFORE: the first cell is read before it is set. SPOIL: a cell that is no number; ALL: none
 * is. */
#include "harness.h"

#include <math.h>

#ifdef LEAST
#define BETTER <
#define ENDS(found) ((found) > (REAL)4)
#else
#define BETTER >
#define ENDS(found) ((found) < (REAL)0.2)
#endif

#ifdef MASK
#define COUNTS(x) ((x) > 1)
#else
#define COUNTS(x) 1
#endif

#define INNER                                                                                      \
    for (long i = 1; i < n - 1; i++)                                                               \
        for (long j = 1; j < m - 1; j++)

KERNEL void settle(long n, long m, long steps, REAL a[restrict n][m], REAL b[restrict n][m],
                   REAL c[restrict n][m], REAL out[restrict 2]) {
    REAL found = 0;
    long t;
    if (n < 2 || m < 2)
        return;
    for (t = 0; t < steps; t++) {
#ifdef BEFORE
        found = c[1][1];
#endif
        INNER b[i][j] = (REAL)0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        INNER c[i][j] = (REAL)fabs((double)(b[i][j] - a[i][j]));
#ifndef BEFORE
        found = c[1][1];
#endif
        INNER if (COUNTS(b[i][j])) found =
            (c[i][j] BETTER found) | ((found != found) & (c[i][j] == c[i][j])) ? c[i][j] : found;
        INNER a[i][j] = b[i][j];
        if (ENDS(found))
            break;
    }
    out[0] = found;
    out[1] = (REAL)t;
}

KERNEL void run(long n, long m, long steps, REAL *a, REAL *b, REAL *c, REAL *out) {
#ifdef SPOIL
    a[SPOIL < n * m ? SPOIL : 0] = (REAL)NAN;
#elif defined ALL
    for (long i = 0; i < n * m; i++)
        a[i] = (REAL)NAN;
#endif
    settle(n, m, steps, (void *)a, (void *)b, (void *)c, out);
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1), run(n[0], n[1], steps, b[0], b[1], b[2], b[3]),
        REALS("a", n[0] * n[1]), REALS("b", n[0] * n[1]), REALS("c", n[0] * n[1]), REALS("out", 2))
