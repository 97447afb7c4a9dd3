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
void too_many(int n, const float *restrict a, float *restrict b) {
    // CHECK: several-stores.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the loop body writes more than one array element, and is no sweep of several outputs: a loop assigns more than 32 array elements
    for (int i = 1; i < n - 1; i++) {
        float sum = a[i - 1] + a[i + 1];
        b[0 * (long)n + i] = 1 * sum;
        b[1 * (long)n + i] = 2 * sum;
        b[2 * (long)n + i] = 3 * sum;
        b[3 * (long)n + i] = 4 * sum;
        b[4 * (long)n + i] = 5 * sum;
        b[5 * (long)n + i] = 6 * sum;
        b[6 * (long)n + i] = 7 * sum;
        b[7 * (long)n + i] = 8 * sum;
        b[8 * (long)n + i] = 9 * sum;
        b[9 * (long)n + i] = 10 * sum;
        b[10 * (long)n + i] = 11 * sum;
        b[11 * (long)n + i] = 12 * sum;
        b[12 * (long)n + i] = 13 * sum;
        b[13 * (long)n + i] = 14 * sum;
        b[14 * (long)n + i] = 15 * sum;
        b[15 * (long)n + i] = 16 * sum;
        b[16 * (long)n + i] = 17 * sum;
        b[17 * (long)n + i] = 18 * sum;
        b[18 * (long)n + i] = 19 * sum;
        b[19 * (long)n + i] = 20 * sum;
        b[20 * (long)n + i] = 21 * sum;
        b[21 * (long)n + i] = 22 * sum;
        b[22 * (long)n + i] = 23 * sum;
        b[23 * (long)n + i] = 24 * sum;
        b[24 * (long)n + i] = 25 * sum;
        b[25 * (long)n + i] = 26 * sum;
        b[26 * (long)n + i] = 27 * sum;
        b[27 * (long)n + i] = 28 * sum;
        b[28 * (long)n + i] = 29 * sum;
        b[29 * (long)n + i] = 30 * sum;
        b[30 * (long)n + i] = 31 * sum;
        b[31 * (long)n + i] = 32 * sum;
        b[32 * (long)n + i] = 33 * sum;
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
