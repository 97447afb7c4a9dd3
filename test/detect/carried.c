// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers that a time loop computes from step to step for what comes behind it: a loop of their own
// makes them.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
#include <math.h>
#include <stdio.h>
#define CELLS                                                                                      \
    for (int i = 1; i < n - 1; i++)                                                                \
        for (int j = 1; j < n - 1; j++)
#define AT(a, i, j) a[(long)(i) * n + (j)]
#define SWAP { double *c = a; a = b; b = c; }

double time_of(int n, int steps, double *a, double *b, double dt) {
    double time = 0;
    for (int t = 0; t < steps; t++) {
        // CHECK: carried.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D stencil of radius 1, 2 cells read, f64, runs on a GPU where there is one: the whole time loop
        CELLS AT(b, i, j) = AT(a, i, j - 1) + AT(a, i, j + 1);
        SWAP
        time += dt;
    }
    return time;
}

float several(int n, int steps, double *a, double *b, float w, unsigned *state) {
    unsigned x = *state;
    // CHECK: carried.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D time loop of 2 sweeps runs on a GPU where there is one
    for (int t = 0; t < steps; t++) {
        CELLS AT(b, i, j) = AT(a, i, j - 1) + AT(a, i, j + 1);
        CELLS AT(a, i, j) = AT(b, i - 1, j) + AT(b, i + 1, j);
        w = fabsf(w * 0.5f - (float)t);
        x = x * 1103515245u + 12345u;
    }
    *state = x;
    return w;
}

// With output, too, where the number is printed.
void printed(int n, int steps, double *a, double *b, double dt) {
    double time = 0;
    for (int t = 0; t < steps; t++) {
        // CHECK: carried.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D stencil of radius 1, 2 cells read, f64, runs on a GPU where there is one: the whole time loop
        CELLS AT(b, i, j) = AT(a, i, j - 1) + AT(a, i, j + 1);
        SWAP
        time += dt;
        if (t % 10 == 0)
            printf("%g\n", time);
    }
}

// A number that depends on cells is not made without them.
double of_cells(int n, int steps, double *a, double *b) {
    double all = 0;
    for (int t = 0; t < steps; t++) {
        // CHECK: carried.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweep is offloaded without the loop around it, so arrays may be copied in each iteration of the outer loop: {{.*}}
        // CHECK: carried.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D stencil of radius 1, 2 cells read, f64, runs on a GPU where there is one: one sweep a call
        CELLS AT(b, i, j) = AT(a, i, j - 1) + AT(a, i, j + 1);
        SWAP
        all = all * 0.5 + AT(a, 1, 1);
    }
    return all;
}

// How often the loop runs is not known in front of it: the number is looked at after each step.
double until(int n, double *a, double *b, double dt, double end) {
    double time = 0;
    // CHECK: carried.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D time loop of 1 sweep, which ends by what each step computes, runs on a GPU
    while (time < end) {
        CELLS AT(b, i, j) = AT(a, i, j - 1) + AT(a, i, j + 1);
        SWAP
        time += dt;
    }
    return time;
}
