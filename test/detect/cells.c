// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cells that a time loop sets from other cells, and that LLVM keeps in values: the loop loads and stores them again.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
#include <math.h>
#include <stdio.h>

#define N 200
#define FIELDS(h, e)                                                                               \
    for (int i = 0; i < N - 1; i++)                                                                \
        h[i] += 0.5f * (e[i + 1] - e[i])
#define CURL(e, h)                                                                                 \
    for (int i = 1; i < N - 1; i++)                                                                \
        e[i] += 0.5f * (h[i] - h[i - 1])

// A copy, of an array that is zero at first.
void copied(int steps, float *last) {
    float e[N] = {0}, h[N] = {0};
    // CHECK: cells.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D time loop of 3 sweeps
    for (int t = 0; t < steps; t++) {
        FIELDS(h, e);
        e[0] = e[1];
        CURL(e, h);
    }
    for (int i = 0; i < N; i++)
        last[i] = e[i];
}

// A first-order absorbing boundary at both ends; outputs every ten steps.
void absorbed(int steps, float *restrict e, float *restrict h) {
    // CHECK: cells.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D time loop of 3 sweeps runs on a GPU where there is one, bT
    for (int t = 0; t < steps; t++) {
        FIELDS(h, e);
        h[49] -= (float)exp(-(t - 30.) * (t - 30.) / 100.);
        e[0] += 0.3f * (e[1] - e[0]);
        CURL(e, h);
        if (t % 10 == 0)
            for (int i = 0; i < N; i++)
                printf("%g\n", e[i]);
    }
}

// What is added up of cells.
void added(int steps, float *restrict e, float *restrict h, float *restrict sum) {
    // CHECK: cells.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D time loop of 3 sweeps
    for (int t = 0; t < steps; t++) {
        FIELDS(h, e);
        CURL(e, h);
        *sum += e[50];
    }
}

// A variable of the program is no cell.
float local(int steps, float *restrict e, float *restrict h) {
    float sum = 0;
    for (int t = 0; t < steps; t++) {
        // CHECK: cells.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweeps are offloaded without the loop around them
        // CHECK: cells.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D sequence of 2 sweeps
        FIELDS(h, e);
        CURL(e, h);
        sum += e[50];
    }
    return sum;
}

// A place that is computed behind the loop.
void behind(int steps, float *restrict e, float *restrict h, float *restrict sum, float *restrict y, long k) {
    float last = 0;
    int t = 0;
    do {
        // CHECK: cells.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweeps are offloaded without the loop around them
        // CHECK: cells.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D sequence of 2 sweeps
        FIELDS(h, e);
        CURL(e, h);
        last = e[50] * 2;
        *sum += last;
    } while (++t < steps);
    y[k * k] = last;
}
