/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A time loop whose first step differs, and that reads clocks. FORM: 1 another sweep by the step's
 * number, 2 by a flag, 3 a sweep that the first step leaves out, 4 a source in the first step, 5 no
 * difference. CLOCK: 1 clock(), 2 gettimeofday in a function, 3 a sum in memory, 4 two intervals, 5
 * time from the first reading on. FIRST: the number of the first step. EVERY: prints of each step
 * of that many. LOOP: the time loop's head. ONCE: a factor is computed where it is used for the
 * first time: 1 before the time loop, 2 in it; 3 in it, and a later step changes it. */
#include "harness.h"
#include <stdio.h>
#include <sys/time.h>
#include <time.h>

#ifndef FORM
#define FORM 1
#endif
#ifndef FIRST
#define FIRST 0
#endif
#ifndef LOOP
#define LOOP for (long t = FIRST; t < steps + FIRST; t++)
#endif
#define EACH                                                                                       \
    for (long i = 1; i < n - 1; i++)                                                               \
        for (long j = 1; j < m - 1; j++)
#define AROUND                                                                                     \
    (b[(i - 1) * m + j] + b[(i + 1) * m + j] + b[i * m + j - 1] + b[i * m + j + 1] -               \
     4 * b[i * m + j])

static double seconds(void) {
#if CLOCK == 2 || CLOCK == 4
    struct timeval now;
    gettimeofday(&now, NULL);
    return now.tv_sec + 1e-6 * now.tv_usec;
#elif CLOCK == 5
    static int first = -1;
    struct timeval now;
    gettimeofday(&now, NULL);
    if (first < 0)
        first = now.tv_sec;
    return (now.tv_sec - first) + 1e-6 * now.tv_usec;
#else
    return (double)clock() / CLOCKS_PER_SEC;
#endif
}

static double in_memory;

#ifdef ONCE
static int known, times;
static REAL factor;
static REAL get_factor(long n) {
    if (!known) {
        factor = (REAL)1 / (n + times++);
        known = 1;
    }
    return factor;
}
#endif

/* Returns whether the times make sense. */
KERNEL static REAL starts2d(long n, long m, long steps, REAL *a, REAL *b, REAL *c) {
    double spent = 0, more = 0, start = seconds();
    int first = 1;
    (void)first, (void)more;
    in_memory = 0;
#ifdef ONCE
    known = times = 0;
    if (ONCE == 1)
        b[0] += get_factor(n);
#endif
    LOOP {
#ifdef ONCE
        b[0] += get_factor(n);
        if (ONCE == 3 && t == FIRST + 2)
            known = 0;
#endif
#ifdef CLOCK
        double began = seconds();
#endif
#if FORM == 1
        if (t == FIRST)
            EACH c[i * m + j] = b[i * m + j] + (REAL)0.05 * AROUND;
        else
            EACH c[i * m + j] = 2 * b[i * m + j] - a[i * m + j] + (REAL)0.1 * AROUND;
#elif FORM == 2
        if (first) {
            EACH c[i * m + j] = b[i * m + j] + (REAL)0.05 * AROUND;
            first = 0;
        } else {
            EACH c[i * m + j] = b[i * m + j] + (REAL)0.1 * AROUND - (REAL)0.01 * a[i * m + j];
        }
#elif FORM == 3
        EACH c[i * m + j] = b[i * m + j] + (REAL)0.1 * AROUND;
        if (t > FIRST)
            EACH c[i * m + j] -= (REAL)0.01 * a[i * m + j];
#else
#if FORM == 4
        if (t <= FIRST)
            b[0] += 3;
#endif
        EACH c[i * m + j] = b[i * m + j] + (REAL)0.1 * AROUND - (REAL)0.01 * a[i * m + j];
#endif
#if CLOCK == 4
        spent += seconds() - began;
        began = seconds();
#endif
        REAL *was = a;
        a = b;
        b = c;
        c = was;
#if CLOCK == 3
        in_memory += seconds() - began;
#elif CLOCK == 4
        more += (seconds() - began) * 1000;
#elif defined CLOCK
        spent += seconds() - began;
#endif
#ifdef EVERY
        if (t % EVERY == 0)
            printf("step %ld\n", t);
#endif
    }
    double whole = seconds() - start, times = spent + more / 1000 + in_memory;
    return times >= 0 && times < whole + 1;
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        *(REAL *)b[3] = starts2d(n[0], n[1], steps, b[0], b[1], b[2]), REALS("a", n[0] * n[1]),
        REALS("b", n[0] * n[1]), REALS("c", n[0] * n[1]), REALS("found", 1))
