// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O2 -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s

void f(int n, const float *a, float *b) {
    // CHECK: step.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: an array is walked with a step of more than one element or an uneven step
    for (int i = 1; i < n - 1; i++)
        b[i] = a[2 * i] + a[2 * i + 1];
}
