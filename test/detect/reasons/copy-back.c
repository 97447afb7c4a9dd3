// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O2 -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil -Rpass-analysis=stencil -c %s -o /dev/null 2>&1 | FileCheck %s

#define SWEEP(to, from)                                                                            \
    for (int i = 1; i < n - 1; i++)                                                                \
        to[i] = from[i - 1] + from[i + 1];

void other(int T, int n, const float *a, float *b, float *c) {
    for (int t = 0; t < T; t++) {
        // CHECK: copy-back.c:[[#@LINE-1]]:{{.*}} remark: plan: {{.*}}; not blocked as one sweep of a step: the copy in the time loop does not move the sweep's result back to the array that the next sweep reads: the sweep does not read the array copied to
        SWEEP(b, a)
        for (int i = 1; i < n - 1; i++)
            c[i] = b[i];
    }
}

void before(int T, int n, float *a, float *b) {
    for (int t = 0; t < T; t++) {
        // CHECK: copy-back.c:[[#@LINE-1]]:{{.*}} back to the array that the next sweep reads: it does not follow the sweep
        __builtin_memcpy(b, a, n * sizeof *a);
        SWEEP(a, b)
    }
}

void unrelated(int T, int n, float *a, float *b, float *c) {
    for (int t = 0; t < T; t++) {
        // CHECK: copy-back.c:[[#@LINE-1]]:{{.*}} back to the array that the next sweep reads: it copies another array than was computed
        SWEEP(b, a)
        __builtin_memcpy(a, c, n * sizeof *a);
    }
}

void sometimes(int T, int n, float *a, float *b) {
    for (int t = 0; t < T; t++) {
        // CHECK: copy-back.c:[[#@LINE+1]]:{{.*}} the sweeps in the loop around do not run on the GPU together (sweep 2 of 2: control flow in the loop nest is not understood (an inner loop runs only under a condition)
        SWEEP(b, a)
        if (t * t % 5 == 0)
            __builtin_memcpy(a, b, n * sizeof *a);
    }
}
