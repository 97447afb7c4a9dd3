// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sweeps that depend on what does not change in the time loop: a copy of it, for one choice.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s
#include <errno.h>
#include <math.h>
#include <stdio.h>

#define SWEEP(to, from, c)                                                                         \
    for (int i = 1; i < n - 1; i++)                                                                \
        to[i] = c * (from[i - 1] + from[i + 1]);

typedef struct grid {
    int kind, often;
} grid;

// CHECK-DAG: modes.c:[[#@LINE+2]]:{{[0-9]+}}: remark: 1-D time loop of 3 sweeps{{.*}} runs on a GPU
void kinds(const grid *g, int n, int steps, float *a, float *b) {
    for (int t = 0; t < steps; t++) {
        if (g->kind == 1) {
            SWEEP(b, a, 0.5f)
        } else {
            SWEEP(b, a, 0.25f)
            SWEEP(a, b, 0.5f)
        }
        SWEEP(a, b, 0.125f)
        if (t % 10 == 0)
            printf("%d\n", t);
    }
}

// Not where the choice changes with the step.
void changing(const grid *g, int n, int steps, float *a, float *b) {
    // CHECK-DAG: modes.c:[[#@LINE+5]]:{{[0-9]+}}: remark: the sweeps are offloaded without the loop around them, {{.*}}an inner loop runs only under a condition
    for (int t = 0; t < steps; t++) {
        if ((t * t + g->kind) % 7 == 1) {
            SWEEP(b, a, 0.5f)
        } else {
            SWEEP(b, a, 0.25f)
            SWEEP(a, b, 0.5f)
        }
        SWEEP(a, b, 0.125f)
    }
}

// Not where the choice is errno, which a function of <math.h> sets.
void failed(int n, int steps, double x, float *restrict a, float *restrict b) {
    // CHECK-NOT: modes.c:[[#@LINE+1]]:{{[0-9]+}}: remark: {{.*}}time loop
    for (int t = 0; t < steps; t++) {
        float s = pow(x, t) > 1e10 ? 0.25f : 0.125f;
        // CHECK-DAG: modes.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweep{{.*}} offloaded without the loop around
        if (errno) {
            SWEEP(b, a, 0.5f)
        } else {
            SWEEP(b, a, s)
        }
        SWEEP(a, b, 0.125f)
    }
}
