// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A first step that differs from the others is made by itself, by a number or by a flag.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s

#define EACH for (int i = 1; i < n - 1; i++)
#define STEP b[i] = 2 * a[i] - c[i] + 0.1f * (a[i - 1] - 2 * a[i] + a[i + 1])
#define BEGIN b[i] = a[i] + 0.05f * (a[i - 1] - 2 * a[i] + a[i + 1])
#define TURN float *was = c; c = a; a = b; b = was

void number(int n, int steps, float *a, float *b, float *c) {
    // CHECK: first-step.c:[[#@LINE+2]]:{{[0-9]+}}: remark: 1-D time loop of 1 sweep runs on a GPU where there is one, bT
    // CHECK: first-step.c:[[#@LINE+3]]:{{[0-9]+}}: remark: 1-D stencil {{.*}}: one sweep a call
    for (int t = 1; t <= steps; t++) {
        if (t == 1)
            EACH BEGIN;
        else EACH STEP;
        TURN;
    }
}

void flag(int n, int steps, float *a, float *b, float *c) {
    int first = 1;
    // CHECK: first-step.c:[[#@LINE+2]]:{{[0-9]+}}: remark: 1-D time loop of 1 sweep runs on a GPU where there is one, bT
    // CHECK: first-step.c:[[#@LINE+3]]:{{[0-9]+}}: remark: 1-D stencil {{.*}}: one sweep a call
    for (int t = 0; t < steps; t++) {
        if (first) {
            EACH BEGIN;
            first = 0;
        } else EACH STEP;
        TURN;
    }
}

// The second step differs, too: the program's own body makes both.
void second(int n, int steps, float *a, float *b, float *c) {
    // CHECK: first-step.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D time loop of 1 sweep runs on a GPU where there is one, bT
    for (int t = 0; t < steps; t++) {
        if (t >= 2)
            EACH STEP;
        else
            // CHECK: first-step.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweep is offloaded without the loop around it
            // CHECK: first-step.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil {{.*}}: one sweep a call
            EACH BEGIN;
        TURN;
    }
}

// Between two sweeps of a later step.
void between(int n, int steps, float *a, float *b, float *c) {
    // CHECK-DAG: first-step.c:[[#@LINE+1]]:{{[0-9]+}}: remark: time loop not offloaded: {{.*}}an inner loop runs only under a condition
    for (int t = 0; t < steps; t++) {
        // CHECK-DAG: first-step.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweep is offloaded without the loop around it, {{.*}}an inner loop runs only under a condition
        // CHECK-DAG: first-step.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil {{.*}}: one sweep a call
        EACH STEP;
        if (t == 3)
            // CHECK-DAG: first-step.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the loop reads no neighbours
            EACH b[i] *= c[i - 1];
        // CHECK-DAG: first-step.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the loop reads no neighbours
        EACH a[i] = b[i] - c[i + 1];
    }
}
