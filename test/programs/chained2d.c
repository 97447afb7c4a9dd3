/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One value of all cells that the nests of a step hand to one another. HOW: 1 the greatest change,
 * 2 the least value, 3 the same where of equal ones the last counts, 4 the greatest change by fmax,
 * 5 how many cells changed, 6 their sum. OWN: a third nest only measures. STOPS: the loop ends when
 * the value says so. ONCE: no time loop. START: what the value starts from in each step. */
#include "harness.h"

#ifndef HOW
#define HOW 1
#endif
#ifndef START
#define START 0
#endif
#if HOW == 5
typedef int value;
#else
typedef REAL value;
#endif

#define SIZE(x) ((x) < 0 ? -(x) : (x))
#if HOW == 1
#define HAND(now, was) v = SIZE((now) - (was)) > v ? SIZE((now) - (was)) : v
#elif HOW == 2
#define HAND(now, was) v = (now) < v ? (now) : v
#elif HOW == 3
#define HAND(now, was) v = (now) <= v ? (now) : v
#elif HOW == 4
#define HAND(now, was) v = (REAL)fmax(v, fabs((now) - (was)))
#elif HOW == 5
#define HAND(now, was) v += (now) > (was)
#else
#define HAND(now, was) v += (now) - (was)
#endif

#define MEAN(from)                                                                                 \
    ((REAL)0.25 *                                                                                  \
     (from[(i - 1) * m + j] + from[(i + 1) * m + j] + from[i * m + j - 1] + from[i * m + j + 1]))
#define INNER                                                                                      \
    for (long i = 1; i < n - 1; i++)                                                               \
        for (long j = 1; j < m - 1; j++)

KERNEL static int chained2d(long n, long m, long steps, REAL *restrict a, REAL *restrict b,
                            value *last) {
    value v = START;
    long t = 0;
#ifdef STOPS
    v = (value)(STOPS) + 1;
    for (; t < steps && v > (value)(STOPS); t++) {
#elif defined ONCE
    if (steps > 0) {
#else
    for (; t < steps; t++) {
#endif
        v = START;
        INNER {
            REAL now = MEAN(a);
            HAND(now, b[i * m + j]);
            b[i * m + j] = now;
        }
        INNER {
            REAL now = a[i * m + j] + (REAL)0.5 * (MEAN(b) - a[i * m + j]);
            HAND(now, a[i * m + j]);
            a[i * m + j] = now;
        }
#ifdef OWN
        INNER HAND(b[i * m + j] - a[i * m + j + 1], b[i * m + j - 1]);
#endif
    }
    *last = v;
    return (int)t;
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        *(int *)b[3] = chained2d(n[0], n[1], steps, b[0], b[1], b[2]), REALS("a", n[0] * n[1]),
        REALS("b", n[0] * n[1]), {"last", HOW == 5 ? 'i' : 'f', sizeof(value), 1, 0, 9, 0},
        INTEGERS("steps", int, 1, 0, 9))
