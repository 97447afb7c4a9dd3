// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O2 -fmath-errno -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s

void f(int n, const float *a, float *b) {
    // CHECK: errno.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: 'sqrtf' may set errno; compile with -fno-math-errno
    for (int i = 1; i < n - 1; i++)
        b[i] = __builtin_sqrtf(a[i - 1]) + a[i + 1];
}
