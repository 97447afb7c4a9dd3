/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Time loops that keep something of each step in an array of all steps: a cell, every third element,
 * a row, a column by rows, the whole plate, the greatest change, a sum, the time. FORM: 1 pointers exchanged,
 * 2 copied back, 3 three buffers, 4 two fields in place. BEFORE: the element is kept before the step's sweeps.
 * KEEP: what is kept; its place must not depend on more than the step and loops. WITHIN: it is kept in the second
 * array, which the sweeps read. */
#include "harness.h"

#ifndef FORM
#define FORM 1
#endif
#ifndef KEEP
#define KEEP trace[t] = a AT(n / 2, m / 3)
#endif
#ifdef WITHIN
#define TRACE b[1]
#else
#define TRACE b[3]
#endif
#define AT(i, j) [(i) * (long)m + (j)]
#define EACH                                                                                       \
    for (int i = 1; i < n - 1; i++)                                                                \
        for (int j = 1; j < m - 1; j++)
#define MEAN(a) ((REAL)0.25 * (a AT(i - 1, j) + a AT(i + 1, j) + a AT(i, j - 1) + a AT(i, j + 1)))

/* What KEEP may be. */
#define THIRD trace[3 * t + 2] = a AT(1, m / 2)
#define TWO trace[2 * t] = a AT(n / 2, 2), trace[2 * t + 1] = a AT(n / 2, 3)
#define AGAIN trace[t] = a AT(n / 2, 2), trace[t + 1] = a AT(n / 2, 3)
#define DELAYED a AT(n / 2, 2) += trace[t + 1], trace[t + 4] = a AT(n / 2, 3)
#define ADDED trace[t] += a AT(n / 2, 2) * (REAL)0.5
#define ROW                                                                                        \
    for (int j = 0; j < m; j++)                                                                    \
    trace[t * (long)m + j] = a AT(n / 2, j)
#define COLUMN                                                                                     \
    for (int i = 0; i < n; i++)                                                                    \
    trace[t * (long)n + i] = a AT(i, m / 2)
#define THIRD_ROW                                                                                  \
    for (int j = 1; j < m - 2; j++)                                                                \
    trace[t * (long)m + j] = a AT(2, j) - a AT(2, j + 1)
#define LAST_COLUMN                                                                                \
    for (int i = 0; i < n; i++)                                                                    \
    trace[t * (long)n + i] = a AT(i, m - 2)
#define BY_CELLS                                                                                   \
    for (int j = 0; j < m; j++)                                                                    \
    trace[j * (long)steps + t] = a AT(n / 2, j)
#define PLATE                                                                                      \
    for (int i = 0; i < n; i++)                                                                    \
        for (int j = 0; j < m; j++)                                                                \
    trace[(t * (long)n + i) * m + j] = a AT(i, j)
#define INNER                                                                                      \
    for (int i = 1; i < n - 1; i++)                                                                \
        for (int j = 1; j < m - 1; j++)                                                            \
    trace[(t * (long)n + i) * m + j] = a AT(i, j) - b AT(i, j)
#define MOST                                                                                       \
    do {                                                                                           \
        REAL most = 0;                                                                             \
        EACH {                                                                                     \
            REAL d = a AT(i, j) - b AT(i, j);                                                      \
            most = d > most ? d : most;                                                            \
        }                                                                                          \
        trace[t] = most * 2;                                                                       \
    } while (0)
#define SUM                                                                                        \
    do {                                                                                           \
        REAL sum = 0;                                                                              \
        EACH sum += a AT(i, j) * a AT(i, j);                                                       \
        trace[t] = sum / (n * m);                                                                  \
    } while (0)
#define TIME trace[t] = time
#define SINE trace[t] = a AT(2, 2) * (REAL)sin(time)
/* Not taken. */
#define SQUARES trace[(long)t * t % 50] = a AT(2, 2)
#define BACKWARDS trace[50 - t] = a AT(2, 2)
#define LATER trace[t + 1] = trace[t] + a AT(2, 2)
#define EVERY_SECOND                                                                               \
    for (int j = 0; j < m / 2; j++)                                                                \
    trace[t * (long)m + j] = a AT(n / 2, 2 * j)
#define GATHERED                                                                                   \
    for (int j = 0; j < 8; j++)                                                                    \
    trace[t * 8 + j] = a[at[j] % (n * m)]
#define ITSELF                                                                                     \
    for (int j = 0; j < m; j++)                                                                    \
    trace[t * (long)m + j] = trace[j] + a AT(n / 2, j)

KERNEL void keep(int n, int m, int steps, REAL *a, REAL *b, REAL *c, REAL *trace, const int *at) {
    REAL time = 0;
    if (n < 4 || m < 5)
        return;
    (void)c, (void)at, (void)time;
    for (int t = 0; t < steps; t++) {
#ifdef BEFORE
        KEEP;
#endif
#if FORM == 1
        EACH b AT(i, j) = MEAN(a);
        REAL *was = a;
        a = b;
        b = was;
#elif FORM == 2
        EACH b AT(i, j) = MEAN(a);
        EACH a AT(i, j) = b AT(i, j);
#elif FORM == 3
        EACH c AT(i, j) = 2 * a AT(i, j) - b AT(i, j) + MEAN(a) - a AT(i, j);
        REAL *was = b;
        b = a;
        a = c;
        c = was;
#else
        EACH b AT(i, j) += (REAL)0.1 * (a AT(i, j) - a AT(i, j - 1));
        EACH a AT(i, j) += (REAL)0.1 * (b AT(i, j + 1) - b AT(i, j) + b AT(i + 1, j));
        a AT(1, 1) += (REAL)0.1;
#endif
        time += (REAL)0.37;
#ifndef BEFORE
        KEEP;
#endif
    }
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        keep((int)n[0], (int)n[1], (int)steps, b[0], b[1], b[2], TRACE, b[4]),
        REALS("a", n[0] * n[1]), REALS("b", n[0] * n[1]), REALS("c", n[0] * n[1]),
        REALS("trace", 60 + 26 * n[0] * n[1]), INTEGERS("at", int, 8, 0, 1000))
