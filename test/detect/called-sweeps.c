// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sweeps that a time loop calls take the place of the calls where the program allows it.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -mllvm -inline-threshold=-1000 -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s
#include <stdio.h>

typedef struct grid {
    int n;
    float *a, *b;
} grid;

// CHECK-DAG: called-sweeps.c:[[#@LINE+2]]:{{[0-9]+}}: remark: 1-D stencil {{.*}}: one sweep a call
void there(grid *g) {
    for (int i = 1; i < g->n - 1; i++)
        g->b[i] = 0.5f * (g->a[i - 1] + g->a[i + 1]);
}
void back(grid *g) {
    for (int i = 1; i < g->n - 1; i++)
        g->a[i] = 0.5f * (g->b[i - 1] + g->b[i + 1]);
}
void step(grid *g) {
    there(g);
    back(g);
}

// The whole time loop, through two calls.
// CHECK-DAG: called-sweeps.c:[[#@LINE+2]]:{{[0-9]+}}: remark: 1-D time loop of 2 sweeps runs on a GPU where there is one
void run(grid *g, int steps) {
    for (int t = 0; t < steps; t++) {
        step(g);
        if (t % 100 == 0)
            printf("%d %f\n", t, g->a[1]);
    }
    step(g);
}

// Not where the program forbids it, nor a function that may be replaced by another one.
__attribute__((noinline)) void fixed(grid *g) {
    for (int i = 1; i < g->n - 1; i++)
        g->b[i] = 0.5f * (g->a[i - 1] + g->a[i + 1]);
}
void never(grid *g, int steps) {
    // CHECK-DAG: called-sweeps.c:[[#@LINE+1]]:{{[0-9]+}}: remark: time loop not offloaded: the loop calls fixed, which makes one sweep and is not inlined
    for (int t = 0; t < steps; t++) {
        fixed(g);
        float *was = g->a;
        g->a = g->b;
        g->b = was;
    }
}
__attribute__((weak)) void weak(grid *g) {
    for (int i = 1; i < g->n - 1; i++)
        g->b[i] = 0.5f * (g->a[i - 1] + g->a[i + 1]);
}
void replaced(grid *g, int steps) {
    // CHECK-DAG: called-sweeps.c:[[#@LINE+1]]:{{[0-9]+}}: remark: time loop not offloaded: the loop calls weak, which makes one sweep and is not inlined
    for (int t = 0; t < steps; t++) {
        weak(g);
        float *was = g->a;
        g->a = g->b;
        g->b = was;
    }
}

// An output by a function that returns from most of its calls. Not if it prints in each call.
void report(const grid *g, int t) {
    if (t % 100 != 0)
        return;
    printf("%d %f\n", t, g->a[1]);
}
void reported(grid *g, int steps) {
    // CHECK-DAG: called-sweeps.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D time loop of 2 sweeps runs on a GPU where there is one
    for (int t = 0; t < steps; t++) {
        there(g);
        back(g);
        report(g, t);
    }
    report(g, 0);
}
void tell(const grid *g, int t) {
    if (t % 100 != 0)
        printf("%d\n", t);
    printf("%f\n", g->a[1]);
}
void told(grid *g, int steps) {
    // CHECK-DAG: called-sweeps.c:[[#@LINE+1]]:{{[0-9]+}}: remark: time loop not offloaded: the loop calls there, which makes one sweep and is not inlined
    for (int t = 0; t < steps; t++) {
        there(g);
        tell(g, t);
    }
    tell(g, 0);
}
