// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O2 -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s

int n;
void f(const int *a, int *b) {
    // CHECK: no-trip-count.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the number of iterations of a loop cannot be computed before it starts; if a bound is read through a pointer or a global variable, copy it to a local variable first
    for (int i = 1; i * i < n - 1; i++)
        b[i] = a[i - 1] + a[i + 1];
}

/* The bound may change: what may change it is told. */
void other(void);
void g(const int *a, int *b) {
    // CHECK: no-trip-count.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the loop nest calls other
    for (int i = 1; i < n - 1; i++) {
        other();
        b[i] = a[i - 1] + a[i + 1];
    }
}
