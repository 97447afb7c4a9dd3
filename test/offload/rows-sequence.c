// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sweeps one after the other over rows found through tables, of which one was seen by itself before.
// RUN: %clang -O2 -fpass-plugin=%plugin -Rpass=stencil -c %s -o %t.o 2>&1 | FileCheck %s
void f(int n, int m, double **a, double **b, double **c) {
    // CHECK: rows-sequence.c:[[@LINE+1]]:5: remark: 2-D sequence of 2 sweeps runs on a GPU where there is one
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            b[i][j] = a[i][j] - a[i + 1][j];
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            c[i][j] = b[i][j - 1] + b[i][j];
}
