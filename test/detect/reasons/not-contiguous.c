// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O2 -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s

void f(int n, int m, const float *a, float *b) {
    for (int k = 1; k < n - 1; k++)
        for (int i = 1; i < n - 1; i++)
            // CHECK: not-contiguous.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: no loop of the nest walks the arrays with a step of one element
            for (int j = 1; j < m - 1; j += 2)
                b[(k * n + i) * m + j] = a[(k * n + i) * m + j - 1] + a[(k * n + i) * m + j + 1];
}
