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
