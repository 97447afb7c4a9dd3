/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A plate whose time loop makes outputs in some of its steps: calls of functions that LLVM does not
 * know, which read a cell, a row or all, and may write. FORM: 1 pointers exchanged, 2 copied back,
 * 3 two sweeps a step, 4 a[t % 2], 5 two fields, 6 ends when its change is small, 7 keeps the
 * greatest change of each step, which the output reads.
 * FIRST, MIDDLE, LAST: the output before, between and after a step's sweeps. */
#include "harness.h"

enum { RECORDS = 64 };
static REAL *record;
static int records;
static void note(REAL x) {
    record[records++ % RECORDS] += x;
}
static void change_cell(REAL *x) {
    *x += 1;
}
static void (*volatile put)(REAL) = note;
static void (*volatile change)(REAL *) = change_cell;

#ifndef FORM
#define FORM 1
#endif
#ifndef FIRST
#define FIRST
#endif
#ifndef LAST
#define LAST                                                                                       \
    if (t % every == 0)                                                                            \
        put(a[n / 2 * m + m / 2]);
#endif
#ifndef MIDDLE
#define MIDDLE
#endif
#define ROW                                                                                        \
    for (long j = 0; j < m; j++)                                                                   \
    put(a[n / 2 * m + j])
#define ALL                                                                                        \
    do {                                                                                           \
        REAL sum = 0;                                                                              \
        for (long i = 0; i < n * m; i++)                                                           \
            sum += a[i];                                                                           \
        put(sum);                                                                                  \
    } while (0)
#define CASES                                                                                      \
    switch (t % 9) {                                                                               \
    case 1:                                                                                        \
    case 4:                                                                                        \
        ROW;                                                                                       \
        break;                                                                                     \
    case 5:                                                                                        \
        put(t);                                                                                    \
        break;                                                                                     \
    case 7:                                                                                        \
        change(&a[0]);                                                                             \
        break;                                                                                     \
    default:                                                                                       \
        break;                                                                                     \
    }
#define STEP_OF_TIME ((REAL)0.37)
#ifndef T
#define T int
#endif
#ifndef NEXT
#define NEXT
#endif

#define EACH                                                                                       \
    for (long i = 1; i < n - 1; i++)                                                               \
        for (long j = 1; j < m - 1; j++)
#define MEAN(a)                                                                                    \
    ((REAL)0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] + a[i * m + j + 1]))

KERNEL static void output2d(long n, long m, T steps, T every, REAL *a, REAL *b, REAL *c) {
    REAL time = 0, next = 1;
    (void)time, (void)next, (void)c;
#if FORM == 4
    REAL *both[2] = {a, b};
#endif
    for (T t = 0; t < steps; t++) {
        FIRST
#if FORM == 1
        EACH b[i * m + j] = MEAN(a);
        REAL *was = a;
        a = b;
        b = was;
#elif FORM == 2
        EACH b[i * m + j] = MEAN(a);
        MIDDLE EACH a[i * m + j] = b[i * m + j];
#elif FORM == 3
        EACH b[i * m + j] = MEAN(a);
        MIDDLE
        EACH a[i * m + j] = MEAN(b);
#elif FORM == 4
        REAL *from = both[t % 2], *to = both[(t + 1) % 2];
        EACH to[i * m + j] = MEAN(from);
#elif FORM == 5
        EACH b[i * m + j] += (REAL)0.1 * (a[i * m + j] - a[i * m + j - 1]);
        MIDDLE
        EACH a[i * m + j] += (REAL)0.1 * (b[i * m + j + 1] - b[i * m + j] + b[i * m + m + j]);
#elif FORM == 6 || FORM == 7
        REAL most = 0;
        EACH {
            REAL d = MEAN(a) - a[i * m + j];
            d = d < 0 ? -d : d;
            most = d > most ? d : most;
            b[i * m + j] = MEAN(a);
        }
        MIDDLE EACH a[i * m + j] = b[i * m + j];
#endif
#if FORM == 7
        c[t % (n * m)] = 2 * most;
#endif
        NEXT LAST
#if FORM == 6
            if (most < (REAL)0.05) break;
#endif
    }
}

#ifndef EVERY
#define EVERY 3
#endif
#define CELLS (INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1))
PROGRAM(2, CELLS,
        (records = 0, record = b[3], output2d(n[0], n[1], (T)steps, (T)(EVERY), b[0], b[1], b[2])),
        REALS("a", n[0] * n[1]), REALS("b", n[0] * n[1]), REALS("c", n[0] * n[1]),
        REALS("record", RECORDS))
