// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O2 -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s

void back(int n, float *a) {
    // CHECK: in-place.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the nest reads neighbours from the array it writes, so iterations depend on each other
    for (int i = 1; i < n - 1; i++)
        a[i] = a[i] + a[i + 1];
}
void down(int n, float a[n][n]) {
    for (int j = 1; j < n - 1; j++)
        // CHECK: in-place.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the nest reads neighbours from the array it writes, so iterations depend on each other
        for (int i = 1; i < n - 1; i++)
            a[j][i] = a[j - 1][i] + a[j][i];
}
