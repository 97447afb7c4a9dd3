// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O2 -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s

void f(int n, const float *a, float *restrict b) {
    float sum = 0;
    // CHECK: carried.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: a value is carried from one iteration to the next
    for (int i = 1; i < n - 1; i++) {
        sum += a[i - 1];
        b[i] = sum + a[i + 1];
    }
}
// What is carried is no element of this row's, but of the one before.
double a[50][60], b[50][60];
void other_row(void) {
    double first = a[3][0];
    for (int i = 0; i < 49; i++) {
        double was = first;
        first = a[i][0];
        // CHECK: carried.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: a value is carried from one iteration to the next
        for (int j = 0; j < 59; j++) {
            b[i][j] = was + a[i][j + 1];
            was = a[i][j + 1];
        }
    }
}

// The cell before, of the array that the loop writes: only in order.
void moved(int n, double first, double *e) {
    double before = first;
    // CHECK: carried.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: a value is carried from one iteration to the next
    for (int i = 0; i < n; i++) {
        double here = e[i];
        e[i] = before;
        before = here;
    }
}
