// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O2 -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s

void f(int n, const float a[n][n], float b[restrict n][n]) {
    for (int j = 1; j < n - 1; j++)
        // CHECK: not-rectangular.c:[[#@LINE+1]]:{{[0-9]+}}: remark: {{.*}}the bounds of an inner loop depend on an outer loop's variable
        for (int i = 1; i < j; i++)
            b[j][i] = a[j - 1][i] + a[j][i + 1];
}
