// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O2 -fno-math-errno -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s

void f(int n, const double *a, double *b) {
    // CHECK: library-function.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: 'exp' may differ from the GPU's in the last bits; allow it with -ffast-math (or -fapprox-func), or with -mllvm -stencilopt-device-math=1
    for (int i = 1; i < n - 1; i++)
        b[i] = __builtin_exp(a[i - 1]) + a[i + 1];
}
