// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O2 -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s
#include <setjmp.h>

jmp_buf back;

// A step, which may have such stores, is made in a copy of the function.
void f(int n, const float *a, const int *mask, float *b) {
    if (setjmp(back))
        return;
    // CHECK: conditional-store.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the array element is written only under a condition
    for (int i = 1; i < n - 1; i++)
        if (mask[i])
            b[i] = a[i - 1] + a[i + 1];
}
