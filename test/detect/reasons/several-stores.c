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
    // CHECK: several-stores.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the loop body writes more than one array element, and is no sweep of several outputs: the function cannot be copied, as one that calls setjmp or takes the address of a label; move the loops to another function
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
#define STORE(k) b[(k) * (long)n + i] = ((k) + 1) * sum;
#define FOUR(k) STORE(k) STORE(k + 1) STORE(k + 2) STORE(k + 3)
#define SIXTEEN(k) FOUR(k) FOUR(k + 4) FOUR(k + 8) FOUR(k + 12)
void too_many(int n, const float *restrict a, float *restrict b) {
    // CHECK: several-stores.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the loop body writes more than one array element, and is no sweep of several outputs: a loop assigns more than 64 array elements
    for (int i = 1; i < n - 1; i++) {
        float sum = a[i - 1] + a[i + 1];
        SIXTEEN(0) SIXTEEN(16) SIXTEEN(32) SIXTEEN(48) STORE(64)
    }
}
void uneven(int n, const float *a, float *b, float *c, const int *m, const float *w) {
    // CHECK: several-stores.c:[[#@LINE+3]]:{{[0-9]+}}: remark: loop nest not offloaded: an array is walked with a step of more than one element
    for (int k = 1; k < n - 1; k++)
        for (int j = 1; j < n - 1; j++)
            for (int i = 1; i < n - 1; i++) {
                int at = (k * n + j) * n + i;
                float v = m[at] > 3 ? w[at * 2 + 7] : 0;
                b[at] = a[at - 1] + v;
                c[at] = a[at + 1] - v;
            }
}
void one_row(int n, int steps, float *restrict b, float *restrict c, const float *a, void (*f)(void)) {
    for (int t = 0; t < steps; t++) {
        f();
        // CHECK: several-stores.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the loop body writes more than one array element, and is no sweep of several outputs: a row of cells in each iteration of the loop around it is not worth a call; make the loops directly nested
        for (int i = 1; i < n - 1; i++) {
            b[i] = a[i - 1] + a[i + 1];
            c[i] = a[i - 1] - a[i + 1];
        }
    }
}
void left_early(int n, int m, float *restrict b, float *restrict c, const float *a) {
    // CHECK: several-stores.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: {{.*}}, and is no sweep of several outputs: control comes to it, or goes on behind it, in several places
    for (int i = 1; i < n - 1; i++) {
        b[i] = a[i - 1] + a[i + 1];
        c[i] = a[i - 1] - a[i + 1];
        if (a[i] > 7)
            return;
    }
    c[0] = m;
}
void indexed(int n, float *restrict b, float *restrict c, const float *a, const int *at) {
    // CHECK: several-stores.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the address of an array access is not a linear function
    for (int i = 1; i < n - 1; i++) {
        b[at[i]] = a[i - 1] + a[i + 1];
        c[at[i]] = a[i - 1] - a[i + 1];
    }
}
