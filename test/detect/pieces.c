// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time loops with outputs in some steps: pieces from one to the next.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
// RUN: %clang -O2 -ffp-contract=off -S -emit-llvm -fpass-plugin=%plugin %s -o - | FileCheck --check-prefix=HOST %s
#include <stdio.h>
#include <time.h>

#define SWEEP(b, a)                                                                                \
    for (int i = 1; i < n - 1; i++)                                                                \
        b[i] = a[i - 1] + a[i + 1];
#define SWAP float *was = a; a = b; b = was

// The program's test, and its copy by which steps are counted.
// HOST-LABEL: define {{.*}}void @every(
// HOST-COUNT-2: srem i32 {{.*}}, %3
// HOST: call {{.*}} @printf(
void every(int n, int steps, float *a, int often, float *b) {
    for (int t = 0; t < steps; t++) {
        // CHECK: pieces.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil {{.*}}: the whole time loop
        SWEEP(b, a)
        SWAP;
        if (t % often == 0)
            printf("%d\n", t);
    }
}

// How often is in memory, which no sweep writes.
int often = 5;
void in_memory(int n, int steps, float *a, float *b) {
    for (int t = 0; t < steps; t++) {
        // CHECK: pieces.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil {{.*}}: the whole time loop
        SWEEP(b, a)
        SWAP;
        if (t % often == 0)
            printf("%f\n", a[2]);
    }
}

// The loop also ends by what a sweep computes.
void ends(int n, int steps, float *a, float *b) {
    // CHECK: pieces.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D time loop of 2 sweeps, which ends by what each step computes
    for (int t = 0; t < steps; t++) {
        float most = 0;
        for (int i = 1; i < n - 1; i++) {
            b[i] = a[i - 1] + a[i + 1];
            most = b[i] > most ? b[i] : most;
        }
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
        if (t % 10 == 0)
            printf("%f\n", a[2]);
        if (most > 1000)
            break;
    }
}

// In each step.
void each(int n, int steps, float *a, float *b) {
    for (int t = 0; t < steps; t++) {
        clock_t start = clock();
        // CHECK: pieces.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweep is offloaded without the loop around it{{.*}}: the loop nest calls clock
        // CHECK: pieces.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil {{.*}}: one sweep a call
        SWEEP(b, a)
        SWAP;
        printf("%ld\n", (long)(clock() - start));
    }
}

// Between the sweeps of a step: steps with output have a body of their own, in which each sweep is offloaded by itself.
void between(int n, int steps, float *a, float *b, float *c) {
    // CHECK: pieces.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D time loop of 2 sweeps {{.*}}, bT {{[0-9]+}} whole steps of 3 arrays
    for (int t = 0; t < steps; t++) {
        // CHECK: pieces.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweep is offloaded without the loop around it in steps that do more than others, as those with an output; the others run on the GPU together
        // CHECK: pieces.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil {{.*}}: one sweep a call
        SWEEP(b, a)
        if (t % 10 == 0)
            printf("%f\n", b[2]);
        // CHECK: pieces.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweep is offloaded without the loop around it
        // CHECK: pieces.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil {{.*}}: one sweep a call
        SWEEP(a, c)
    }
}

// In two places, the one under a condition that is in memory.
int noisy;
void between_twice(int n, int steps, int every, float *a, float *b, float *c) {
    // CHECK: pieces.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D time loop of 2 sweeps {{.*}}, bT {{[0-9]+}} whole steps of 3 arrays
    for (int t = 0; t < steps; t++) {
        // CHECK: pieces.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweep is offloaded without the loop around it
        // CHECK: pieces.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil {{.*}}: one sweep a call
        SWEEP(b, a)
        if (noisy && t % every == 0)
            printf("%f\n", b[2]);
        // CHECK: pieces.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweep is offloaded without the loop around it
        // CHECK: pieces.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil {{.*}}: one sweep a call
        SWEEP(a, c)
        if (t == 7)
            puts("seven");
    }
}

// Whether there is an output is known only behind a sweep.
void between_by_value(int n, int steps, int *a, int *b) {
    for (int t = 0; t < steps; t++) {
        // CHECK: pieces.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweep is offloaded without the loop around it
        // CHECK: pieces.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil {{.*}}: one sweep a call
        SWEEP(b, a)
        if (b[2] > 7)
            puts("seven");
        // CHECK: pieces.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweep is offloaded without the loop around it
        // CHECK: pieces.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil {{.*}}: one sweep a call
        SWEEP(a, b)
    }
}

// An output prints what each step keeps.
static int from[40][50], to[40][50], sums[1000];
void kept(int steps) {
    // CHECK: pieces.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D time loop of 2 sweeps {{.*}}, bT {{[0-9]+}} whole steps of 2 arrays
    for (int t = 0; t < steps; t++) {
        int sum = 0;
        for (int i = 1; i < 39; i++)
            for (int j = 1; j < 49; j++) {
                to[i][j] = from[i][j - 1] + from[i + 1][j];
                sum += to[i][j];
            }
        for (int i = 1; i < 39; i++)
            for (int j = 1; j < 49; j++)
                from[i][j] = to[i][j];
        sums[t] = 3 * sum;
        if (t % 10 == 0)
            printf("%d\n", sums[t]);
    }
}

// LLVM makes one switch of tests of one number.
void at_some(int n, int steps, float *a, float *b) {
    for (int t = 0; t < steps; t++) {
        // CHECK: pieces.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil {{.*}}: the whole time loop
        SWEEP(b, a)
        SWAP;
        if (t == 10)
            printf("ten %f\n", a[2]);
        if (t == 25)
            puts("twenty-five");
        if (t == 70)
            printf("%f %f\n", a[3], a[4]);
    }
}

// The user's switch, also with several numbers for one output.
void cases(int n, int steps, float *a, float *b) {
    for (int t = 0; t < steps; t++) {
        // CHECK: pieces.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil {{.*}}: the whole time loop
        SWEEP(b, a)
        SWAP;
        switch (t % 50) {
        case 3:
        case 17:
        case 31:
            printf("%f\n", a[2]);
            break;
        case 40:
            puts("forty");
            break;
        default:
            break;
        }
    }
}

// Of what a sweep computes.
void by_value(int n, int steps, int *a, int *b) {
    for (int t = 0; t < steps; t++) {
        // CHECK: pieces.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweep is offloaded without the loop around it
        // CHECK: pieces.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil {{.*}}: one sweep a call
        SWEEP(b, a)
        int *was = a;
        a = b;
        b = was;
        switch (a[2]) {
        case 3:
            puts("three");
            break;
        case 17:
            puts("seventeen");
            break;
        case 40:
            puts("forty");
            break;
        default:
            break;
        }
    }
}

// One nest ends in the block in which the other one begins, as LLVM copies rows of constant length by calls.
#define FABS(x) ((x) < 0 ? -(x) : (x))
static double old[40][50], new[40][50];
void constant_sizes(int steps) {
    // CHECK: pieces.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D time loop of 2 sweeps, which ends by what each step computes
    for (int t = 0; t < steps; t++) {
        double most = 0;
        for (int i = 1; i < 39; i++)
            for (int j = 1; j < 49; j++) {
                new[i][j] = 0.25 * (old[i][j + 1] + old[i][j - 1] + old[i - 1][j] + old[i + 1][j]);
                double change = FABS(new[i][j] - old[i][j]);
                most = change > most ? change : most;
            }
        for (int i = 1; i < 39; i++)
            for (int j = 1; j < 49; j++)
                old[i][j] = new[i][j];
        if (t % 10 == 0)
            printf("%f\n", most);
        if (most < 1e-3)
            break;
    }
}
