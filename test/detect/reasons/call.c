// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O2 -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s

float work(float);
void f(int n, const float *a, float *b) {
    // CHECK: call.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the loop nest calls work, which is not known to be free of side effects
    for (int i = 1; i < n - 1; i++)
        b[i] = work(a[i - 1] + a[i + 1]);
}
