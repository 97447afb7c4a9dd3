/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sweeps of a time step that write cells only under conditions: of a mask (1), of counters and a
 * number of the caller's (2), a frame left out (3), of several arrays and in place (4), in rows of
 * a table (5), with values that the mask keeps from being none (6); cells that nothing else
 * accesses (7); a frame left out of what is stored, but not of what is reduced (8); a row behind
 * the arrays, where guard pages are (9); every other cell, between cells that are always written
 * (10). */
#include "harness.h"

#include <stdlib.h>

#ifndef CASE
#define CASE 1
#endif

#define INNER                                                                                      \
    for (long i = 1; i < n - 1; i++)                                                               \
        for (long j = 1; j < m - 1; j++)
#define MEAN(a) ((REAL)0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]))

#if CASE == 5
#define FIELDS REAL **a, REAL **b
#else
#define FIELDS REAL(*a)[m], REAL(*b)[m]
#endif

static inline void edges(long n, long m, FIELDS) {
    (void)b;
    for (long j = 0; j < m; j++) {
        a[0][j] = a[1][j];
        a[n - 1][j] = a[n - 2][j];
    }
    for (long i = 0; i < n; i++) {
        a[i][0] = -a[i][1];
        a[i][m - 1] = a[i][m - 2];
    }
}

KERNEL void drive(long n, long m, long steps, long from, FIELDS, const int32_t (*mask)[m]) {
    REAL most = 0;
    for (long t = 0; t < steps; t++) {
        edges(n, m, a, b);
#if CASE == 1 || CASE == 5
        INNER if (mask[i][j] > 1) b[i][j] = MEAN(a);
        INNER a[i][j] += (REAL)0.5 * (b[i][j] - a[i][j]);
#elif CASE == 2
        INNER if (i + 2 * j > from) b[i][j] = MEAN(a);
        INNER if (j < from) a[i][j] += b[i][j];
        INNER a[i][j] -= (REAL)0.1 * b[i][j];
        INNER if (i >= t) b[i][j] *= (REAL)0.5;
        (void)mask;
#elif CASE == 3
        for (long i = 0; i < n; i++)
            for (long j = 0; j < m; j++)
                if (i > 0 && i < n - 1 && j > 0 && j < m - 1)
                    b[i][j] = MEAN(a);
        INNER a[i][j] = b[i][j];
        (void)mask;
#elif CASE == 4
        INNER {
            REAL mean = MEAN(a);
            if (mask[i][j] == 1) {
                b[i][j] = mean;
            } else if (mask[i][j] == 2) {
                b[i][j] = b[i][j] / 2 + mean;
                if (i > j)
                    b[i][j] = a[i][j];
            }
        }
        INNER {
            REAL was = a[i][j];
            if (b[i][j] > was)
                a[i][j] = b[i][j];
            b[i][j] = was;
        }
#elif CASE == 6
        INNER if (mask[i][j]) b[i][j] = MEAN(a) + (REAL)(7 / mask[i][j]);
        INNER a[i][j] = b[i][j];
#elif CASE == 8
        most = 0;
        for (long i = 0; i < n; i++)
            for (long j = 0; j < m; j++) {
                if (i > 0 && i < n - 1 && j > 0 && j < m - 1)
                    b[i][j] = MEAN(a);
                most = a[i][j] > most ? a[i][j] : most;
            }
        INNER a[i][j] = b[i][j];
        for (long j = 0; j < m; j++)
            b[0][j] = b[n - 1][j] = (REAL)(100 + t);
        for (long i = 0; i < n; i++)
            b[i][0] = b[i][m - 1] = 3;
        (void)mask;
#elif CASE == 9
        for (long i = 0; i <= n; i++)
            for (long j = 0; j < m; j++)
                if (i < from && i < n)
                    b[i][j] = (REAL)0.5 * a[i][j];
        for (long i = 0; i < n; i++)
            for (long j = 0; j < m; j++)
                if (mask[i][j] > 1)
                    a[i][j] += b[i][j];
#elif CASE == 10
        for (long i = 0; i < n; i++)
            for (long j = 0; j < m / 2; j++) {
                if (mask[i][j] > 1)
                    a[i][2 * j] = b[i][j] + 1;
                a[i][2 * j + 1] = (REAL)(mask[i][j] / 2);
            }
#else
        INNER if (mask[i][j] > 1) b[i][j] = MEAN(a);
        INNER if (mask[i][j] > 1) a[i][j] = b[i][j];
#endif
    }
    (void)from;
    b[0][0] += most;
}

static void run(long n, long m, long steps, REAL *a, REAL *b, const int32_t *mask) {
    if (n < 3 || m < 3)
        return;
#if CASE == 5
    REAL **x = calloc((size_t)n, sizeof *x), **y = calloc((size_t)n, sizeof *y);
    for (long i = 0; i < n && x && y; i++) {
        x[i] = a + i * m;
        y[i] = b + (n - 1 - i) * m;
    }
    drive(n, m, steps, 5, x, y, (const int32_t (*)[m])mask);
    free(x);
    free(y);
#else
    drive(n, m, steps, 5, (REAL(*)[m])a, (REAL(*)[m])b, (const int32_t (*)[m])mask);
#endif
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1), run(n[0], n[1], steps, b[0], b[1], b[2]),
        REALS("A", n[0] * n[1]), REALS("B", n[0] * n[1]),
        INTEGERS("mask", int32_t, n[0] * n[1], 0, 3))
