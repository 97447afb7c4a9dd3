// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O2 -fno-math-errno -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s

void f(int n, const float *a, float *b) {
    // CHECK: operation.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the operation 'frem' is not supported on the GPU with the same result
    for (int i = 1; i < n - 1; i++)
        b[i] = __builtin_fmodf(a[i - 1], 3) + a[i + 1];
}
