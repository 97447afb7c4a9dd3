// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point sums in each step, of which only the last is used: the steps before the last are offloaded.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fassociative-math -fno-signed-zeros -fno-trapping-math -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=FREE %s

#define SWEEP(sum)                                                                                 \
    for (int i = 1; i < n - 1; i++) {                                                              \
        float change = a[i - 1] - 2 * a[i] + a[i + 1];                                             \
        sum += change * change;                                                                    \
        b[i] = a[i] + 0.25f * change;                                                              \
    }
#define SWAP float *was = a; a = b; b = was

float last(int n, int steps, float *a, float *b) {
    float sum = 0;
    // FREE: last-step.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D time loop of 1 sweep
    for (int t = 0; t < steps; t++) {
        sum = 0;
        // The sweep of the last step is a region of its own.
        // CHECK: last-step.c:[[#@LINE+2]]:{{[0-9]+}}: remark: 1-D stencil {{.*}}: the whole time loop
        // CHECK: last-step.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D sweep of 1 output runs on a GPU
        SWEEP(sum)
        SWAP;
    }
    return sum;
}

float all_steps(int n, int steps, float *a, float *b) {
    float sum = 0;
    // What was summed up goes on.
    // CHECK: last-step.c:[[#@LINE+1]]:{{[0-9]+}}: remark: time loop not offloaded: {{.*}}the nest reduces a value
    for (int t = 0; t < steps; t++) {
        SWEEP(sum)
        SWAP;
    }
    return sum;
}

float stops(int n, int steps, float *a, float *b) {
    float sum = 1;
    // The loop ends by the sum: each step needs it.
    // CHECK: last-step.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D time loop of 1 sweep, which ends by what each step computes
    for (int t = 0; t < steps && sum > 1e-6f; t++) {
        sum = 0;
        SWEEP(sum)
        SWAP;
    }
    return sum;
}
