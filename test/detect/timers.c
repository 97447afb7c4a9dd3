// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clocks that a time loop reads: they are read in front of it and behind it. Where a time decides something, or is
// printed, the loop stays.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
// RUN: %clang -O2 -ffp-contract=off -S -emit-llvm -fpass-plugin=%plugin %s -o - | FileCheck --check-prefix=HOST %s
#include <stdio.h>
#include <sys/time.h>
#include <time.h>

#define SWEEP                                                                                      \
    for (int i = 1; i < n - 1; i++)                                                                \
        b[i] = a[i - 1] - 2 * a[i] + a[i + 1];
#define SWAP float *was = a; a = b; b = was

double sums(int n, int steps, float *a, float *b) {
    double spent = 0;
    // CHECK: timers.c:[[#@LINE+3]]:{{[0-9]+}}: remark: 1-D stencil {{.*}}: the whole time loop
    for (int t = 0; t < steps; t++) {
        clock_t start = clock();
        SWEEP
        SWAP;
        spent += (double)(clock() - start) / CLOCKS_PER_SEC;
    }
    return spent;
}
// HOST-LABEL: define {{.*}}double @sums(
// HOST-COUNT-2: call i64 @clock()
// HOST-NOT: call i64 @clock()
// HOST: call {{.*}} @stencilopt.enter(
// HOST-LABEL: define {{.*}}void @in_memory(

double total;

void in_memory(int n, int steps, float *restrict a, float *restrict b) {
    // CHECK: timers.c:[[#@LINE+4]]:{{[0-9]+}}: remark: 1-D stencil {{.*}}: the whole time loop
    for (int t = 0; t < steps; t++) {
        struct timeval start, end;
        gettimeofday(&start, NULL);
        SWEEP
        SWAP;
        gettimeofday(&end, NULL);
        total += (end.tv_sec - start.tv_sec) + (end.tv_usec - start.tv_usec) * 1e-6;
    }
}

void limit(int n, int steps, float *a, float *b) {
    clock_t start = clock();
    for (int t = 0; t < steps; t++) {
        // The time decides when the loop ends.
        // CHECK: timers.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweep is offloaded without the loop around it, {{.*}}the loop nest calls clock
        // CHECK: timers.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil {{.*}}: one sweep a call
        SWEEP
        SWAP;
        if (clock() - start > 100)
            break;
    }
}

void longest(int n, int steps, float *a, float *b, double *most) {
    double max = 0;
    for (int t = 0; t < steps; t++) {
        clock_t start = clock();
        // A time is no sum here, and is used behind the loop.
        // CHECK: timers.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweep is offloaded without the loop around it, {{.*}}the loop nest calls clock
        // CHECK: timers.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil {{.*}}: one sweep a call
        SWEEP
        SWAP;
        double took = clock() - start;
        max = took > max ? took : max;
    }
    *most = max;
}

void printed(int n, int steps, float *a, float *b) {
    for (int t = 0; t < steps; t++) {
        clock_t start = clock();
        // CHECK: timers.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweep is offloaded without the loop around it, {{.*}}the loop nest calls
        // CHECK: timers.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil {{.*}}: one sweep a call
        SWEEP
        SWAP;
        printf("%ld\n", (long)(clock() - start));
    }
}

// A function of the program may do more than tell the time.
int readings;
__attribute__((noinline)) double MPI_Wtime(void) {
    return ++readings;
}
double own(int n, int steps, float *a, float *b) {
    double spent = 0;
    for (int t = 0; t < steps; t++) {
        spent -= MPI_Wtime();
        // CHECK: timers.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweep is offloaded without the loop around it, {{.*}}the loop nest calls MPI_Wtime
        // CHECK: timers.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil {{.*}}: one sweep a call
        SWEEP
        SWAP;
        spent += MPI_Wtime();
    }
    return spent;
}
