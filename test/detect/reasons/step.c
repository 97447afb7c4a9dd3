// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O2 -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s

void f(int n, int m, const float *a, float *b) {
    for (int k = 1; k < n - 1; k++)
        for (int i = 1; i < n - 1; i++)
            // CHECK: step.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: an array is walked with a step of more than one element or an uneven step
            for (int j = 1; j < m - 1; j++)
                b[(k * n + i) * m + j] = a[(k * n + i) * 2 * m + 2 * j] + a[(k * n + i) * 2 * m + 2 * j + 1];
}
