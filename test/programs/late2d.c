/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A time loop that prints in each step. FORM: 1 a cell, 2 numbers that it hands on and two cells, 3
 * the largest change, 4 to a stream, in front of the sweeps and behind them, 5 a sum over the
 * steps, 6 text alone, 7 an integer of the sweeps' counts, 8 a cell that the next sweep changes, 9
 * through a function that may be anything. */
#include "harness.h"
#include <stdio.h>

#ifndef FORM
#define FORM 1
#endif
#define EACH                                                                                       \
    for (long i = 1; i < n - 1; i++)                                                               \
        for (long j = 1; j < m - 1; j++)

void (*volatile print)(double) = NULL;
static void print_number(double x) {
    printf("%g\n", x);
}

KERNEL void late2d(long n, long m, long steps, REAL *restrict a, REAL *restrict b,
                   REAL *restrict found) {
    double time = 0, dt = 0.1;
    REAL total = 0;
    print = print_number;
    for (long t = 0; t < steps; t++) {
        REAL most = 0;
        (void)most;
#if FORM == 4
        fprintf(stdout, "step %ld: %g\n", t, (double)a[n / 2 * m + m / 2]);
#endif
        EACH b[i * m + j] =
            a[i * m + j] + (REAL)0.1 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] +
                                        a[i * m + j + 1] - 4 * a[i * m + j]);
#if FORM == 8
        printf("%g\n", (double)b[n / 2 * m + m / 2]);
#endif
#if FORM == 3 || FORM == 5 || FORM == 7
        EACH {
            REAL d = b[i * m + j] - a[i * m + j];
            d = d < 0 ? -d : d;
            most = d > most ? d : most;
            a[i * m + j] = b[i * m + j];
        }
#else
        EACH a[i * m + j] = b[i * m + j];
#endif
#if FORM == 8
        EACH b[i * m + j] *= 2;
#endif
#if FORM == 1
        printf("%g\n", (double)a[n / 2 * m + m / 2]);
#elif FORM == 2
        time += dt;
        dt *= 0.99;
        printf("%5ld %.9g %g ", t, time, (double)a[m + 1]);
        printf("%a\n", (double)(a[n / 2 * m + m / 2] * a[m + 1]));
#elif FORM == 3
        printf("%ld: %g\n", t + 1, (double)most);
#elif FORM == 4
        fputs("behind ", stdout);
        fprintf(stdout, "%g\n", (double)a[n / 2 * m + m / 2]);
        fflush(stdout);
#elif FORM == 5
        total += most;
        printf("%g\n", (double)total);
#elif FORM == 6
        printf("a step\n");
#elif FORM == 7
        if (most < 1000)
            printf("%ld\n", t * 3);
#elif FORM == 10 || FORM == 11
#if FORM == 10
        printf("%ld: %g\n", t, (double)a[n / 2 * m + m / 2]);
#endif
        if (t % 4 == 1)
            for (long j = 0; j < m; j++)
                printf("%g%s", (double)a[n / 2 * m + j], j + 1 < m ? " " : "\n");
#if FORM == 11
        printf("%ld: %g\n", t, (double)a[n / 2 * m + m / 2]);
#else
        if (t == 6)
            printf("six\n");
#endif
#elif FORM == 9
        print((double)a[n / 2 * m + m / 2]);
#endif
    }
    found[0] = (REAL)(time + dt) + total;
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1), late2d(n[0], n[1], steps, b[0], b[1], b[2]),
        REALS("a", n[0] * n[1]), REALS("b", n[0] * n[1]), REALS("found", 1))
