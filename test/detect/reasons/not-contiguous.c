// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O2 -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s

void f(int n, const float *a, float *b) {
    // CHECK: not-contiguous.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: no loop of the nest walks the arrays with a step of one element
    for (int i = 1; i < n - 1; i += 2)
        b[i] = a[i - 1] + a[i + 1];
}
