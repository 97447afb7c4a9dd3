/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A floating-point time, summed up from step to step: it ends the loop, or, with -DCOUNTED, does
 * not. SOURCE: what a cell gets of it. -DADAPT: how far a step goes depends on the cells of the one
 * before. Time and steps are live. */
#include "harness.h"

#define SIN(x) _Generic((x), float: sinf(x), double: sin(x))
#ifndef SOURCE
#define SOURCE 0
#endif

KERNEL static void clock2d(long n, long m, REAL end, REAL dt, REAL *a, REAL *b, REAL *when,
                           int *count) {
    REAL t = (REAL)0.1;
    int step = 0;
#if defined COUNTED
    for (; step < count[1]; step++) {
#elif defined WHILE
    while (t < end) {
#else
    for (; t < end; t += dt) {
#endif
#ifdef ADAPT
        REAL most = 0;
#endif
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < m - 1; j++) {
                REAL v = (REAL)0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] +
                                       a[i * m + j + 1]) +
                         (SOURCE);
#ifdef ADAPT
                most = v > most ? v : most;
#endif
                b[i * m + j] = v;
            }
        REAL *was = a;
        a = b;
        b = was;
#ifdef ADAPT
        dt = end / (5 + most * most);
#endif
#if defined COUNTED || defined WHILE
        t += dt;
#endif
#ifndef COUNTED
        step++;
#endif
    }
    *when = t;
    *count = step;
}

static void run(const long *n, long steps, void *const *b) {
    int *count = b[3];
    count[1] = (int)steps;
    clock2d(n[0], n[1], (REAL)(0.1 + 0.05 * (double)steps), (REAL)0.05, b[0], b[1], b[2], count);
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1), run(n, steps, b), REALS("a", n[0] * n[1]),
        REALS("b", n[0] * n[1]), REALS("when", 1), INTEGERS("count", int, 2, 0, 9))
