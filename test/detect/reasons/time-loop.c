// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O2 -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s

void f(int T, int n, const float *a, float *restrict b) {
    for (int t = 0; t < T; t++)
        // CHECK: time-loop.c:[[#@LINE+1]]:{{[0-9]+}}: remark: the sweep is offloaded without the loop around it, so arrays may be copied in each iteration of the outer loop: the loop around the nest is not a time loop of it: it writes the same array in every step
        for (int i = 1; i < n - 1; i++)
            b[i] = a[i - 1] + a[i + 1] + t;
}
