// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A time loop that prints in each step: what it prints is kept, and printed behind several steps.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
#include <math.h>
#include <stdio.h>

#define SWEEPS                                                                                     \
    for (int i = 1; i < n - 1; i++)                                                                \
        b[i] = 0.5f * (a[i - 1] + a[i + 1]);                                                       \
    for (int i = 1; i < n - 1; i++)                                                                \
        a[i] = b[i]

void cell(int n, int steps, float *restrict a, float *restrict b) {
    // CHECK: late.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D time loop of 3 sweeps runs on a GPU where there is one, bT
    for (int t = 0; t < steps; t++) {
        SWEEPS;
        printf("%d %g\n", t, (double)a[5]);
    }
}

// A sum that only the CPU makes, and a stream that is no variable of the loop.
void sum(int n, int steps, float *restrict a, float *restrict b, FILE *out) {
    double time = 0;
    // CHECK: late.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D time loop of 3 sweeps
    for (int t = 0; t < steps; t++) {
        SWEEPS;
        time += 0.1;
        fprintf(out, "%g ", time);
        fprintf(out, "%g\n", a[5] + (double)a[6]);
    }
}

// The largest change, and a sum of these.
void changes(int n, int steps, float *restrict a, float *restrict b) {
    float all = 0;
    // CHECK: late.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D time loop of 3 sweeps runs on a GPU where there is one, a kernel a sweep
    for (int t = 0; t < steps; t++) {
        float most = 0;
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5f * (a[i - 1] + a[i + 1]);
        for (int i = 1; i < n - 1; i++) {
            most = fmaxf(most, fabsf(a[i] - b[i]));
            a[i] = b[i];
        }
        all += most;
        printf("%d %g %g\n", t, (double)most, (double)all);
    }
}

// Outputs of some steps come behind those of each step.
void both(int n, int steps, float *restrict a, float *restrict b, FILE *log) {
    // CHECK: late.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D time loop of 3 sweeps runs on a GPU where there is one, bT
    for (int t = 0; t < steps; t++) {
        SWEEPS;
        fprintf(log, "%d %g\n", t, (double)a[5]);
        if (t % 10 == 0)
            for (int i = 0; i < n; i++)
                printf("%g\n", (double)a[i]);
    }
}

// What a string of the program holds may change meanwhile.
void text(int n, int steps, float *restrict a, float *restrict b, const char *name) {
    for (int t = 0; t < steps; t++) {
        // CHECK: late.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweep {{.*}}the loop nest calls printf
        // CHECK: late.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil
        SWEEPS;
        printf("%s %g\n", name, (double)a[5]);
    }
}

// A function that may do anything.
void log_value(double x);
void unknown(int n, int steps, float *restrict a, float *restrict b) {
    for (int t = 0; t < steps; t++) {
        // CHECK: late.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweep {{.*}}the loop nest calls log_value
        // CHECK: late.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil
        SWEEPS;
        log_value(a[5]);
    }
}

// What is printed decides whether there is a next step.
void result(int n, int steps, float *restrict a, float *restrict b) {
    for (int t = 0; t < steps; t++) {
        // CHECK: late.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweep
        // CHECK: late.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil
        SWEEPS;
        if (printf("%g\n", (double)a[5]) < 0)
            break;
    }
}

// A function of the program that has the name of one of C's.
#define putc put_own
static __attribute__((noinline)) void putc(float x, const float *all) __asm__("putc");
static void putc(float x, const float *all) {
    printf("%g %g\n", x, all[3]);
}
void own(int n, int steps, float *restrict a, float *restrict b) {
    for (int t = 0; t < steps; t++) {
        // CHECK: late.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweep {{.*}}the loop nest calls putc
        // CHECK: late.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil
        SWEEPS;
        putc(a[5], a);
    }
}

// A number of the program that no step changes.
int every = 3;
void variable(int n, int steps, float *restrict a, float *restrict b) {
    // CHECK: late.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D time loop of 3 sweeps
    for (int t = 0; t < steps; t++) {
        SWEEPS;
        printf("%d %g\n", t % every, (double)a[5]);
    }
}

// A sweep of some steps, where each step calls what is not known: the call is the cause.
void guarded(int n, int steps, float *restrict a, float *restrict b) {
    for (int t = 0; t < steps; t++) {
        if ((t * t + n) % 7 == 1)
            // CHECK: late.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweep {{.*}}(sweep 1 of 2: the loop nest calls log_value,
            // CHECK: late.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil
            for (int i = 1; i < n - 1; i++)
                b[i] = 0.25f * (a[i - 1] + a[i + 1]);
        // CHECK: late.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweep {{.*}}(sweep 1 of 2: the loop nest calls log_value,
        // CHECK: late.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i - 1] + b[i + 1];
        log_value(a[5]);
    }
}
