// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O2 -fmath-errno -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s

void f(int n, const float *a, float *b) {
    // CHECK: errno.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: 'sqrtf' may set errno; compile with -fno-math-errno
    for (int i = 1; i < n - 1; i++)
        b[i] = __builtin_sqrtf(a[i - 1]) + a[i + 1];
}

void g(int n, const double *a, double *b) {
    // CHECK: errno.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: 'exp' may set errno, and may differ from the GPU's in the last bits; compile with -fno-math-errno, and allow the difference with -mllvm -stencilopt-device-math=1 (or both with -ffast-math)
    for (int i = 1; i < n - 1; i++)
        b[i] = a[i - 1] + __builtin_exp(a[i + 1]);
}
