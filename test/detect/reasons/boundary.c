// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O2 -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s

void not_at_an_end(int n, const float *a, float *restrict b) {
    // CHECK: boundary.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: how an index is brought back into the array at the ends of the loops is not understood
    for (int i = 0; i < n; i++)
        b[i] = a[i] + a[i > 5 ? 5 : i];
}

void whole_row(int n, int m, const float *a, float *restrict b) {
    for (int j = 0; j < n; j++)
        // CHECK: boundary.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: control flow in the loop nest is not understood (an inner loop runs only under a condition
        for (int i = 1; i < m && j != n / 2; i++)
            b[j * m + i] = a[j * m + i] + a[j * m + i - 1];
}
