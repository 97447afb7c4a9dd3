// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O2 -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s

void f(int n, int m, const float a[n][n], const float *restrict g, float b[restrict n][n]) {
    for (int j = 1; j < n - 1; j++)
        if (g[j] > 0)
            // CHECK: control-flow.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: control flow in the loop nest is not understood (an inner loop runs only under a condition)
            for (int i = 1; i < n - 1; i++)
                b[j][i] = b[j][i - 1] + a[j - 1][i];
}
