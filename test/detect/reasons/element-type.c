// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O2 --target=x86_64-linux-gnu -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s

void f(int n, const long double *a, long double *b) {
    // CHECK: element-type.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: an array element has an unsupported type (long double)
    for (int i = 1; i < n - 1; i++)
        b[i] = a[i - 1] + a[i + 1];
}
