// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O2 -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s

void reads(int n, const volatile float *a, float *b) {
    // CHECK: volatile.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the loop nest has a volatile or atomic access
    for (int i = 1; i < n - 1; i++)
        b[i] = a[i - 1] + a[i + 1];
}
void writes(int n, const float *a, volatile float *b) {
    // CHECK: volatile.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the loop nest has a volatile or atomic access
    for (int i = 1; i < n - 1; i++)
        b[i] = a[i - 1] + a[i + 1];
}
void writes_atomically(int n, const int *a, _Atomic int *b) {
    // CHECK: volatile.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the loop nest has a volatile or atomic access
    for (int i = 1; i < n - 1; i++)
        b[i] = a[i - 1] + a[i + 1];
}
