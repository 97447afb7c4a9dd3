// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sweeps one after the other without a time loop: one region if they share arrays and nothing comes between.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -emit-llvm -c %s -o %t.bc
// RUN: %opt -passes=stencil-offload -disable-output %t.bc
// RUN: %clang -O2 -ffp-contract=off -S -emit-llvm -fpass-plugin=%plugin %s -o - | FileCheck --check-prefix=ONCE %s
#define CELLS                                                                                      \
    for (int i = 1; i < n - 1; i++)                                                                \
        for (int j = 1; j < m - 1; j++)
static void sweep(int n, int m, const float *a, float *b) {
    // CHECK: sequences.c:[[#@LINE+2]]:{{[0-9]+}}: remark: 2-D stencil {{.*}}: two sweeps, one after the other, being two time steps
    // CHECK: sequences.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sequence of 3 sweeps runs on a GPU where there is one, a kernel a sweep
    CELLS b[i * m + j] = a[(i - 1) * m + j] + a[(i + 1) * m + j];
}
// ONCE-LABEL: @two(
// ONCE: call {{.*}} @stencilopt.enter(
// ONCE-NOT: @stencilopt.enter(
// ONCE-LABEL: @three(
// ONCE: call {{.*}} @stencilopt.enter(
// ONCE-NOT: @stencilopt.enter(
// ONCE-LABEL: @apart(
void two(int n, int m, float *a, float *b) {
    sweep(n, m, a, b);
    sweep(n, m, b, a);
}
void three(int n, int m, float *a, float *b) {
    sweep(n, m, a, b);
    sweep(n, m, b, a);
    sweep(n, m, a, b);
}
void apart(int n, float *a, float *b, float *c, float *d) {
    // CHECK: sequences.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil {{.*}}: one sweep a call
    for (int i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i + 1];
    // CHECK: sequences.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil {{.*}}: one sweep a call
    for (int i = 1; i < n - 1; i++) d[i] = c[i - 1] + c[i + 1];
}
void called(int n, float *a, float *b, float *c, void (*f)(void)) {
    // CHECK: sequences.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil {{.*}}: one sweep a call
    for (int i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i + 1];
    f();
    // CHECK: sequences.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil {{.*}}: one sweep a call
    for (int i = 1; i < n - 1; i++) c[i] = b[i - 1] + b[i + 1];
}
// The first nest says nothing of the call in the second one.
void beside(int n, float *restrict a, float *restrict b, float *restrict c, float (*f)(float)) {
    // CHECK: sequences.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D sweep of 2 outputs runs on a GPU
    for (int i = 1; i < n - 1; i++) {
        b[i] = a[i - 1] + a[i + 1];
        c[i] = a[i - 1] - a[i + 1];
    }
    // CHECK: sequences.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the loop nest calls
    for (int i = 1; i < n - 1; i++) {
        a[i] = f(b[i]);
        c[i] = b[i];
    }
}
// Rows of a step whose time loop is not offloaded.
void rows(int n, int steps, float *restrict a, float *restrict b, float *restrict c, void (*f)(void)) {
    for (int t = 0; t < steps; t++) {
        // CHECK: sequences.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweep is offloaded without the loop around it
        // CHECK: sequences.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D sweep of 2 outputs runs on a GPU
        for (int i = 1; i < n - 1; i++) {
            b[i] = a[i - 1] + a[i + 1];
            c[i] = a[i - 1] - a[i + 1];
        }
        f();
        // CHECK: sequences.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweep is offloaded without the loop around it
        // CHECK: sequences.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i - 1] + b[i + 1];
    }
}
