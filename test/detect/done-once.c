// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work that a time loop does once, and remembers in memory that it has done: where it is done in front of the loop, a
// copy of the loop runs whole. Where anything else writes the memory, the loop stays.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %clang -O2 -ffp-contract=off -S -emit-llvm -fpass-plugin=%plugin %s -o - | FileCheck --check-prefix=HOST %s
#include <stdio.h>
#include <sys/time.h>

#define SWEEP                                                                                      \
    for (int i = 1; i < n - 1; i++)                                                                \
        b[i] = a[i - 1] - 2 * a[i] + a[i + 1];
#define SWAP float *was = a; a = b; b = was

// A clock that counts from its first reading.
static double seconds(void) {
    static int first = -1;
    struct timeval now;
    gettimeofday(&now, NULL);
    if (first < 0)
        first = now.tv_sec;
    return (now.tv_sec - first) + 1e-6 * now.tv_usec;
}

double measured(int n, int steps, float *a, float *b) {
    double start = seconds(), spent = 0;
    for (int t = 0; t < steps; t++) {
        double began = seconds();
        // CHECK-DAG: done-once.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil {{.*}}: the whole time loop
        SWEEP
        SWAP;
        spent += seconds() - began;
    }
    return spent / (seconds() - start);
}
// HOST-LABEL: define {{.*}}double @measured(
// HOST: load i32, ptr @seconds.first
// HOST: call {{.*}} @stencilopt.enter(

static int ready;
static float scale;

void prepared(int n, int steps, float *a, float *b) {
    for (int t = 0; t < steps; t++) {
        if (!ready) {
            puts("first step");
            scale = 1.f / n;
            ready = 1;
        }
        // CHECK-DAG: done-once.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil {{.*}}: the whole time loop
        for (int i = 1; i < n - 1; i++)
            b[i] = scale * (a[i - 1] + a[i + 1]);
        SWAP;
    }
}

static int stale = 1;

// A sweep may have the work done again.
void again(int n, int steps, float *a, float *b) {
    for (int t = 0; t < steps; t++) {
        if (stale) {
            puts("again");
            stale = 0;
        }
        // CHECK-NOT: done-once.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil {{.*}}: the whole time loop
        SWEEP
        SWAP;
        if (a[1] > 2)
            stale = 1;
    }
}
