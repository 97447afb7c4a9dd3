// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenMP's parallel regions, as one thread would run them; and those that one thread cannot run.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fopenmp -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=remark:

#include <stdio.h>
int omp_get_thread_num(void);
void other(int *);
#define ROWS for (int i = 1; i < n - 1; i++)
#define CELLS for (int j = 1; j < n - 1; j++)
#define AT(a, i, j) a[(long)(i) * n + (j)]
#define SWEEP CELLS AT(b, i, j) = AT(a, i - 1, j) + AT(a, i, j + 1);
#define SWAP { double *c = a; a = b; b = c; }

void in_each_step(int n, int steps, double *a, double *b) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for schedule(static) num_threads(4)
        // CHECK: openmp.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D stencil of radius 1, 2 cells read, f64, runs on a GPU where there is one: the whole time loop
        ROWS SWEEP
        SWAP
    }
}

void around_the_time_loop(int n, int steps, double *a, double *b) {
#pragma omp parallel
    for (int t = 0; t < steps; t++) {
#pragma omp for
        // CHECK: openmp.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D stencil of radius 1, 2 cells read, f64, runs on a GPU where there is one: the whole time loop
        ROWS SWEEP
#pragma omp master
        SWAP
#pragma omp barrier
    }
}

int known_elsewhere(int n, int steps, double *a, double *b) {
    other(&n);
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        // CHECK: openmp.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D stencil of radius 1, 2 cells read, f64, runs on a GPU where there is one: the whole time loop
        ROWS SWEEP
        SWAP
    }
    return n;
}

void one_sweep(int n, double *a, double *b) {
#pragma omp parallel for simd
    // CHECK: openmp.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D stencil of radius 1, 2 cells read, f64, runs on a GPU where there is one: one sweep a call
    ROWS SWEEP
}

void told_each_step(int n, int steps, double *a, double *b) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        // CHECK: openmp.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweep is offloaded without the loop around it, so arrays may be copied in each iteration of the outer loop: the loop nest calls printf, which is not known to be free of side effects
        // CHECK: openmp.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D stencil of radius 1, 2 cells read, f64, runs on a GPU where there is one: one sweep a call
        ROWS SWEEP
        SWAP
        printf("%d\n", t);
    }
}

void every_thread_tells(int n, double *a, double *b) {
#pragma omp parallel
    {
        puts("a thread");
#pragma omp for
        // CHECK: openmp.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the OpenMP parallel region around it does more than one call of the runtime can (it calls puts); give the loops a parallel region of their own
        ROWS SWEEP
    }
}

void counts_before(int n, double *a, double *b, int *calls) {
#pragma omp parallel
    {
#pragma omp single
        ++*calls;
#pragma omp for
        // CHECK: openmp.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the OpenMP parallel region around it does more than one call of the runtime can (it writes memory before the loops); give the loops a parallel region of their own
        ROWS SWEEP
    }
}

void beside_another(int n, int steps, double *a, double *b) {
#pragma omp parallel
    {
#pragma omp for
        ROWS CELLS AT(b, i, j) = 0;
        for (int t = 0; t < steps; t++) {
#pragma omp for
            // CHECK: openmp.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the OpenMP parallel region around it does more than one call of the runtime can (it has other loops); give the loops a parallel region of their own
            ROWS SWEEP
#pragma omp single
            SWAP
        }
    }
}

void around_what_is_no_time_loop(int n, int steps, double *a, double *b, double *sum) {
#pragma omp parallel
    for (int t = 0; t < steps; t++) {
#pragma omp for
        // CHECK: openmp.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the OpenMP parallel region around it does more than one call of the runtime can (it has a loop around them that is not offloaded with them); give the loops a parallel region of their own
        ROWS SWEEP
#pragma omp single
        {
            puts("a step");
            SWAP
        }
    }
}

void counts_all(int n, double *a, double *b, long *calls) {
#pragma omp parallel for
    // CHECK: openmp.c:[[#@LINE+2]]:{{[0-9]+}}: remark: loop nest not offloaded: the loop nest has a volatile or atomic access
    ROWS {
        SWEEP
#pragma omp atomic
        ++*calls;
    }
}

void sums_each_step(int n, int steps, double *a, double *b, double *sum) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        // CHECK: openmp.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweep is offloaded without the loop around it, so arrays may be copied in each iteration of the outer loop: it runs in an OpenMP parallel region that has a critical section; use a reduction
        // CHECK: openmp.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D stencil of radius 1, 2 cells read, f64, runs on a GPU where there is one: one sweep a call
        ROWS SWEEP
#pragma omp parallel
#pragma omp critical
        *sum += b[n];
        SWAP
    }
}

// Several in one function.
void one_by_one(int n, int steps, double *a, double *b, double *c) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for num_threads(2)
        // CHECK: openmp.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D stencil of radius 1, 2 cells read, f64, runs on a GPU where there is one: the whole time loop
        ROWS SWEEP
        SWAP
    }
#pragma omp parallel for num_threads(2)
    // CHECK: openmp.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D stencil of radius 1, 3 cells read, f64, runs on a GPU where there is one: one sweep a call
    ROWS CELLS AT(c, i, j) = AT(a, i, j) + AT(a, i, j + 1) + AT(a, i + 1, j);
#pragma omp parallel for
    // CHECK: openmp.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D stencil of radius 1, 2 cells read, f64, runs on a GPU where there is one: one sweep a call
    ROWS CELLS AT(b, i, j) = AT(c, i, j) + AT(c, i, j + 1);
}

void counts_in_a_variable_known_elsewhere(int n, double *a, double *b) {
    int calls = 0;
    other(&calls);
#pragma omp parallel
    {
#pragma omp single
        ++calls;
#pragma omp for
        // CHECK: openmp.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the OpenMP parallel region around it does more than one call of the runtime can (it writes memory before the loops); give the loops a parallel region of their own
        ROWS SWEEP
    }
    other(&calls);
}

double of_the_last_iteration(int n, double *a, double *b) {
    double v = 0;
#pragma omp parallel for lastprivate(v)
    // CHECK: openmp.c:[[#@LINE+2]]:{{[0-9]+}}: remark: 2-D stencil of radius 1, 2 cells read, f64, runs on a GPU where there is one: one sweep a call
    ROWS {
        SWEEP
        v = i * 0.5;
    }
    return v;
}

long counts_down(int n, double *a, double *b) {
    long warm = 100;
#pragma omp parallel for reduction(- : warm)
    // CHECK: openmp.c:[[#@LINE-1]]:{{[0-9]+}}: remark: 2-D sweep of 1 output runs on a GPU where there is one
    ROWS CELLS {
        double v = AT(a, i - 1, j) + AT(a, i, j + 1);
        AT(b, i, j) = v;
        warm -= v > 0.5;
    }
    return warm;
}

// A sum whose order OpenMP leaves free is made as one thread makes it.
double residual(int n, int steps, double *a, double *b) {
    double all = 1;
    // CHECK: openmp.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D time loop of 1 sweep, which ends by what each step computes
    for (int t = 0; t < steps && all > 1e-9; t++) {
        all = 0;
#pragma omp parallel for reduction(+ : all)
        ROWS CELLS {
            double v = AT(a, i - 1, j) + AT(a, i, j + 1);
            AT(b, i, j) = v;
            all += v * v;
        }
        double *was = a;
        a = b;
        b = was;
    }
    return all;
}

// Of the regions' own functions, which LLVM has after the others.
void as_they_come(int n, double *a, double *b) {
#pragma omp parallel for schedule(dynamic)
    // CHECK: openmp.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D stencil of radius 1
    ROWS SWEEP
}

void in_chunks(int n, double *a, double *b) {
#pragma omp parallel for schedule(static, 4)
    // CHECK: openmp.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D stencil of radius 1
    ROWS SWEEP
}

void one_after_the_other(int n, double *a, double *b, double *sum) {
#pragma omp parallel
    {
#pragma omp for
        // CHECK: openmp.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: it runs in an OpenMP parallel region that has a critical section; use a reduction
        ROWS SWEEP
#pragma omp critical
        *sum += b[n];
    }
}

void asks(int n, double *a, double *b, int *who) {
#pragma omp parallel
    {
        who[omp_get_thread_num()] = 1;
#pragma omp for
        // CHECK: openmp.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: it runs in an OpenMP parallel region that calls omp_get_thread_num, by which threads may differ
        ROWS SWEEP
    }
}

// What depends on how many threads there are.
long counts_threads(int n, double *a, double *b) {
    long threads = 0;
#pragma omp parallel reduction(+ : threads)
    {
        threads += 1;
#pragma omp for
        // CHECK: openmp.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: it runs in an OpenMP parallel region that reduces otherwise than by a sum, a maximum or a minimum of what its loops find
        ROWS SWEEP
    }
    return threads;
}

long adds_maxima(int n, double *a, double *b, int *w) {
    long most = 0;
#pragma omp parallel for reduction(+ : most)
    // CHECK: openmp.c:[[#@LINE-1]]:{{[0-9]+}}: remark: loop nest not offloaded: it runs in an OpenMP parallel region that reduces otherwise
    // CHECK: openmp.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: it runs in an OpenMP parallel region that reduces otherwise
    ROWS CELLS {
        AT(b, i, j) = AT(a, i - 1, j) + AT(a, i, j + 1);
        most = w[j] > most ? w[j] : most;
    }
    return most;
}

#pragma omp declare reduction(from_five : long : omp_out += omp_in) initializer(omp_priv = 5)
long starts_at_five(int n, double *a, double *b) {
    long warm = 0;
#pragma omp parallel for reduction(from_five : warm)
    // CHECK: openmp.c:[[#@LINE-1]]:{{[0-9]+}}: remark: loop nest not offloaded: it runs in an OpenMP parallel region that reduces otherwise
    // CHECK: openmp.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: it runs in an OpenMP parallel region that reduces otherwise
    ROWS CELLS {
        AT(b, i, j) = AT(a, i - 1, j) + AT(a, i, j + 1);
        warm += AT(b, i, j) > 0.5;
    }
    return warm;
}

long tells_of_its_own_share(int n, double *a, double *b) {
    long first = 0;
#pragma omp parallel
    {
        long rows = 0;
#pragma omp for
        // CHECK: openmp.c:[[#@LINE+2]]:{{[0-9]+}}: remark: loop nest not offloaded: it runs in an OpenMP parallel region that uses, after a loop that the threads share, a private variable whose value depends on which iterations the thread had; use a reduction
        ROWS {
            SWEEP
            rows++;
        }
#pragma omp master
        first = rows;
    }
    return first;
}

int by_number(int n, double *a, double *b, int number) {
    int there = 0;
#pragma omp parallel
    {
#pragma omp for
        // CHECK: openmp.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: it runs in an OpenMP parallel region that lets one thread do a part by its number; write omp master
        ROWS SWEEP
#pragma omp masked filter(number)
        there = 1;
    }
    return there;
}

_Thread_local double factor;
__attribute__((noinline)) static double own_factor(void) {
    return factor;
}

void in_a_function(int n, double *a, double *b) {
#pragma omp parallel
    {
        double f = own_factor();
#pragma omp for
        // CHECK: openmp.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: it runs in an OpenMP parallel region that calls own_factor, by which threads may differ
        ROWS CELLS AT(b, i, j) = f * AT(a, i - 1, j) + AT(a, i, j + 1);
    }
}

long greatest_share(int n, double *a, double *b, const int *w) {
    long warm = 0;
    int most = 0;
#pragma omp parallel reduction(+ : warm) reduction(max : most)
    {
#pragma omp for
        // CHECK: openmp.c:[[#@LINE-1]]:{{[0-9]+}}: remark: loop nest not offloaded: it runs in an OpenMP parallel region that uses, after a loop that the threads share, a private variable whose value depends on which iterations the thread had; use a reduction
        // CHECK: openmp.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: it runs in an OpenMP parallel region that uses, after a loop that the threads share
        ROWS CELLS {
            double v = AT(a, i - 1, j) + AT(a, i, j + 1);
            AT(b, i, j) = v;
            warm += v > 0.5;
            most = w[j] > most ? w[j] : most;
        }
        int all = (int)warm;
        most = all > most ? all : most;
    }
    return warm + most;
}

void in_order(int n, double *a, double *b) {
#pragma omp parallel for ordered schedule(static, 2)
    // CHECK: openmp.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: it runs in an OpenMP parallel region that has an ordered loop; leave out the clause ordered
    ROWS SWEEP
}
