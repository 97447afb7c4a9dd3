/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A plate whose time loop ends when its greatest change is small, or after STEPS steps. WHERE it is
 * computed: 1 as the sweep computes, 2 while its result is copied back, 3 with pointers exchanged,
 * 4 likewise, in a nest of its own that reads neighbours.
 * HOW: `for`, `while` or `do`, or FRONT, a `while` that tests a limit in memory behind the count.
 * What it was and how many steps there were are live. */
#include "harness.h"

#ifdef FMAX
#define CHANGE(most, d) (most = (REAL)fmax(most, d))
#else
#define CHANGE(most, d) (most = (d) > most ? (d) : most)
#endif
#ifndef START
#define START 0
#endif
#ifndef WHERE
#define WHERE 1
#endif
#ifndef ENDS
#define ENDS(most, eps) ((most) < (eps))
#endif
#ifndef MEASURE
#define MEASURE(x) ((x) < 0 ? -(x) : (x))
#endif

#if WHERE >= 3
#define FINISH                                                                                     \
    do {                                                                                           \
        REAL *was = a;                                                                             \
        a = b;                                                                                     \
        b = was;                                                                                   \
    } while (0)
#else
#define FINISH                                                                                     \
    for (long i = 1; i < n - 1; i++)                                                               \
        for (long j = 1; j < m - 1; j++) {                                                         \
            if (WHERE == 2)                                                                        \
                CHANGE(most, MEASURE(b[i * m + j] - a[i * m + j]));                                \
            a[i * m + j] = b[i * m + j];                                                           \
        }
#endif

#if WHERE == 4
#define OWN_NEST                                                                                   \
    for (long i = 1; i < n - 1; i++)                                                               \
        for (long j = 1; j < m - 1; j++)                                                           \
            CHANGE(most, MEASURE(b[i * m + j] - (a[i * m + j - 1] + a[i * m + m + j]) / 2));
#else
#define OWN_NEST
#endif

#define STEP                                                                                       \
    most = START;                                                                                  \
    for (long i = 1; i < n - 1; i++)                                                               \
        for (long j = 1; j < m - 1; j++) {                                                         \
            REAL new = (REAL)0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] +  \
                                     a[i * m + j + 1]);                                            \
            if (WHERE == 1 || WHERE == 3)                                                          \
                CHANGE(most, MEASURE(new - a[i * m + j]));                                         \
            b[i * m + j] = new;                                                                    \
        }                                                                                          \
    OWN_NEST                                                                                       \
    FINISH

KERNEL static void converge2d(long n, long m, long most_steps, REAL eps, REAL *a, REAL *b,
                              REAL *change, int *count) {
    REAL most = 1000;
    int step = 0;
#if defined DO
    do {
        STEP;
        step++;
    } while (!ENDS(most, eps) && step < most_steps);
#elif defined WHILE
    while (!ENDS(most, eps) && step < most_steps) {
        STEP;
        step++;
    }
#elif defined FRONT
    *change = eps;
    while (step < most_steps && !ENDS(most, *change)) {
        STEP;
        step++;
    }
#elif defined COUNTED
    for (step = 0; step < most_steps; step++) {
        STEP;
    }
#else
    for (step = 0; step < most_steps; step++) {
        STEP;
        if (ENDS(most, eps))
            break;
    }
#endif
    *change = most;
    *count = step;
}

#ifndef EPS
#define EPS 0.05
#endif
static void prepare(long n, long m, REAL *a) {
    (void)n, (void)m, (void)a;
#ifdef SPOIL
    if (n > 3 && m > 3)
        a[2 * m + 2] = SPOIL;
#endif
}

#define CELLS (INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1))
PROGRAM(2, CELLS,
        (prepare(n[0], n[1], b[0]),
         converge2d(n[0], n[1], steps, (REAL)(EPS), b[0], b[1], b[2], b[3])),
        REALS("a", n[0] * n[1]), REALS("b", n[0] * n[1]), REALS("change", 1),
        INTEGERS("count", int, 1, 0, 9))
