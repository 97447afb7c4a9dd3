// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Critical sections that combine a variable of each thread with the program's, as a reduction does, and others.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fopenmp -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=remark:
#include <math.h>

#define ROWS for (int i = 1; i < n - 1; i++)
#define CELLS for (int j = 1; j < m - 1; j++)
#define CHANGE fabs(w[i * m + j] - u[i * m + j])
#define GREATEST                                                                                   \
    if (mine < CHANGE)                                                                             \
    mine = CHANGE

double greatest(int n, int m, const double *u, const double *w) {
    double diff = 0;
#pragma omp parallel
    {
        double mine = 0;
#pragma omp for
        // CHECK: openmp-critical.c:[[#@LINE-1]]:{{[0-9]+}}: remark: 2-D sweep for 1 value of all cells runs on a GPU
        ROWS CELLS GREATEST;
#pragma omp critical
        if (diff < mine) diff = mine;
    }
    return diff;
}

double chosen(int n, int m, const double *u, const double *w) {
    double diff = 0;
#pragma omp parallel
    {
        double mine = -1;
#pragma omp for
        // CHECK: openmp-critical.c:[[#@LINE-1]]:{{[0-9]+}}: remark: 2-D sweep for 1 value of all cells runs on a GPU
        ROWS CELLS mine = mine > CHANGE ? mine : CHANGE;
#pragma omp critical
        diff = mine > diff ? mine : diff;
    }
    return diff;
}

double sum(int n, int m, const double *u, const double *w) {
    double diff = 0;
#pragma omp parallel
    {
        double mine = 0;
#pragma omp for
        // CHECK: openmp-critical.c:[[#@LINE-1]]:{{[0-9]+}}: remark: 2-D sweep for 1 value of all cells runs on a GPU
        ROWS CELLS mine += CHANGE;
#pragma omp critical
        diff += mine;
    }
    return diff;
}

// All threads, or none.
double all(int n, int m, const double *u, const double *w, const int *tell) {
    double diff = 0;
#pragma omp parallel
    {
        double mine = 0;
#pragma omp for
        // CHECK: openmp-critical.c:[[#@LINE-1]]:{{[0-9]+}}: remark: 2-D sweep for 1 value of all cells runs on a GPU
        ROWS CELLS GREATEST;
        if (*tell) {
#pragma omp critical
            if (diff < mine) diff = mine;
        }
    }
    return diff;
}

// Each thread adds 1.
double adds(int n, int m, const double *u, const double *w) {
    double diff = 0;
#pragma omp parallel
    {
        double mine = 1;
#pragma omp for
        // CHECK: openmp-critical.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: it runs in an OpenMP parallel region that has a critical section; use a reduction
        ROWS CELLS mine += CHANGE;
#pragma omp critical
        diff += mine;
    }
    return diff;
}

// A sum of what each thread has found the greatest.
double mixes(int n, int m, const double *u, const double *w) {
    double diff = 0;
#pragma omp parallel
    {
        double mine = 0;
#pragma omp for
        // CHECK: openmp-critical.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: it runs in an OpenMP parallel region that has a critical section; use a reduction
        ROWS CELLS GREATEST;
#pragma omp critical
        diff += mine;
    }
    return diff;
}

// Counts threads.
double counts(int n, int m, const double *u, const double *w, int *count) {
    double diff = 0;
#pragma omp parallel
    {
        double mine = 0;
#pragma omp for
        // CHECK: openmp-critical.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: it runs in an OpenMP parallel region that has a critical section; use a reduction
        ROWS CELLS GREATEST;
#pragma omp critical
        { if (diff < mine) diff = mine; ++*count; }
    }
    return diff;
}

// What threads combine is the least, in a thread the greatest.
double least(int n, int m, const double *u, const double *w) {
    double diff = 0;
#pragma omp parallel
    {
        double mine = 0;
#pragma omp for
        // CHECK: openmp-critical.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: it runs in an OpenMP parallel region that has a critical section; use a reduction
        ROWS CELLS GREATEST;
#pragma omp critical
        if (diff > mine) diff = mine;
    }
    return diff;
}

// The master alone tells what it has found.
double tells(int n, int m, const double *u, const double *w) {
    double diff = 0;
#pragma omp parallel
    {
        double mine = 0;
#pragma omp for
        // CHECK: openmp-critical.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: it runs in an OpenMP parallel region that has a critical section; use a reduction
        ROWS CELLS GREATEST;
#pragma omp master
#pragma omp critical
        if (diff < mine) diff = mine;
    }
    return diff;
}

// So does the thread that a variable of its own makes known.
double first(int n, int m, const double *u, const double *w) {
    double diff = 0;
#pragma omp parallel
    {
        double mine = 0;
        int is = 0;
#pragma omp master
        is = 1;
#pragma omp for
        // CHECK: openmp-critical.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: it runs in an OpenMP parallel region that has a critical section; use a reduction
        ROWS CELLS GREATEST;
        if (is) {
#pragma omp critical
            if (diff < mine) diff = mine;
        }
    }
    return diff;
}

// Only threads with iterations of another loop.
double shares(int n, int m, const double *u, const double *w) {
    double diff = 0;
#pragma omp parallel
    {
        double mine = 0;
#pragma omp for
        // CHECK: openmp-critical.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: it runs in an OpenMP parallel region that has a critical section; use a reduction
        ROWS CELLS GREATEST;
#pragma omp for
        for (int k = 0; k < 1; k++) {
            // CHECK: openmp-critical.c:[[#@LINE-2]]:{{[0-9]+}}: remark: loop nest not offloaded: it runs in an OpenMP parallel region that has a critical section; use a reduction
#pragma omp critical
            if (diff < mine) diff = mine;
        }
    }
    return diff;
}

// The master keeps whether its own was great.
double keeps(int n, int m, const double *u, const double *w, int *great) {
    double diff = 0;
#pragma omp parallel
    {
        double mine = 0;
        int own;
#pragma omp for
        // CHECK: openmp-critical.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: it runs in an OpenMP parallel region that uses, after a loop that the threads share, a private variable
        ROWS CELLS GREATEST;
#pragma omp critical
        { own = mine > 0.9; if (diff < mine) diff = mine; }
#pragma omp master
        *great = own;
    }
    return diff;
}

// ... whether it was the greatest.
double won(int n, int m, const double *u, const double *w, int *greatest) {
    double diff = 0;
#pragma omp parallel
    {
        double mine = 0;
        int own;
#pragma omp for
        // CHECK: openmp-critical.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: it runs in an OpenMP parallel region that has a critical section; use a reduction
        ROWS CELLS GREATEST;
#pragma omp critical
        { own = diff < mine; if (own) diff = mine; }
#pragma omp master
        *greatest = own;
    }
    return diff;
}

// What the master has found does not count.
double forgets(int n, int m, const double *u, const double *w) {
    double diff = 0;
#pragma omp parallel
    {
        double mine = 0;
#pragma omp for
        // CHECK: openmp-critical.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: it runs in an OpenMP parallel region that has a critical section; use a reduction
        ROWS CELLS GREATEST;
#pragma omp master
        mine = 0;
#pragma omp critical
        if (diff < mine) diff = mine;
    }
    return diff;
}

double reduced(int n, int m, const double *u, const double *w) {
    double mine = 0;
#pragma omp parallel reduction(max : mine)
    {
#pragma omp for
        // CHECK: openmp-critical.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: it runs in an OpenMP parallel region that reduces otherwise
        ROWS CELLS GREATEST;
#pragma omp master
        mine = 0;
    }
    return mine;
}
