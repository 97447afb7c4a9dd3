// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O2 -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s

void f(int n, const float *a, float *b) {
    // CHECK: several-stores.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the loop body writes more than one array element, and is no sweep of several outputs: two assignments in a loop write the same array element
    for (int i = 1; i < n - 1; i++) {
        b[i] = a[i - 1] + a[i + 1];
        b[i + 1] = a[i - 1] - a[i + 1];
    }
}
int setjmp(void *) __attribute__((returns_twice));
void not_looked_at(int n, const float *a, float *restrict b, float *restrict c, void *p) {
    if (setjmp(p))
        return;
    // CHECK: several-stores.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the loop body writes more than one array element, and is no sweep of several outputs: it is not looked at as one
    for (int i = 1; i < n - 1; i++) {
        b[i] = a[i - 1] + a[i + 1];
        c[i] = a[i - 1] - a[i + 1];
    }
}
void in_place(int n, const float *a, float *b, float *c) {
    // CHECK: several-stores.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the nest reads neighbours from the array it writes
    for (int i = 1; i < n - 1; i++) {
        b[i] = a[i - 1] + b[i - 1];
        c[i] = a[i - 1] - a[i + 1];
    }
}
