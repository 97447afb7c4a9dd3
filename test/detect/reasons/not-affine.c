// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O2 -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s

void f(int n, const float *a, const int *where, float *restrict b) {
    // CHECK: not-affine.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the address of an array access is not a linear function of the loop variables
    for (int i = 1; i < n - 1; i++)
        b[i] = a[where[i]] + a[i + 1];
}
// An index that each cell's number gives; with both elements read, the sweep is taken.
void odd(int n, int m, const int *number, const float *a, float *restrict b) {
    for (int i = 1; i < n - 1; i++)
        // CHECK: not-affine.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the address of an array access is not a linear function of the loop variables (it uses a condition; read the elements of both cases, and choose between their values)
        for (int j = 1; j < m - 1; j++)
            b[i * m + j] = a[i * m + j - (number[i * m + j] & 1)];
}
