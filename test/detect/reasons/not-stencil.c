// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O2 -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s

void f(int n, const float *a, float *b) {
    // CHECK: not-stencil.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the loop reads no neighbours of a cell: not a stencil
    for (int i = 1; i < n - 1; i++)
        b[i] = 2 * a[i] + 1;
}
