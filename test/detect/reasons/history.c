// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O2 -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s

void f(int T, int n, int m, float f[T + 1][n][m]) {
    for (int t = 0; t < T; t++)
        for (int i = 1; i < n - 1; i++)
            // CHECK: history.c:[[#@LINE+1]]:{{[0-9]+}}: remark: the sweep is offloaded without the loop around it, so arrays may be copied in each iteration of the outer loop: the array written keeps all time steps, each computed from the one before (f[t + 1] from f[t]); keep two of them, such as f[t % 2], or exchange two arrays
            for (int j = 1; j < m - 1; j++)
                f[t + 1][i][j] = f[t][i][j - 1] + f[t][i][j + 1] + f[t][i - 1][j];
}
// A row is not worth a call.
void line(int T, int m, float f[T + 1][m]) {
    for (int t = 0; t < T; t++)
        // CHECK: history.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the array written keeps all time steps, each computed from the one before (f[t + 1] from f[t]); keep two of them, such as f[t % 2], or exchange two arrays
        for (int j = 1; j < m - 1; j++)
            f[t + 1][j] = f[t][j - 1] + f[t][j + 1];
}
// This is not one: the second operand is of this row.
void seidel(int n, int m, float f[n][m]) {
    for (int i = 1; i < n - 1; i++)
        // CHECK: history.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the nest reads neighbours from the array it writes
        for (int j = 1; j < m - 1; j++)
            f[i][j] = f[i - 1][j] + f[i][j + 1];
}
void rows(int T, int n, int m, float **f) {
    for (int t = 0; t < T; t++)
        for (int i = 1; i < n - 1; i++)
            // CHECK: history.c:[[#@LINE+1]]:{{[0-9]+}}: remark: the sweep is offloaded without the loop around it, so arrays may be copied in each iteration of the outer loop: the array written keeps all time steps
            for (int j = 1; j < m - 1; j++)
                f[t + 1][i * m + j] = f[t][i * m + j - 1] + f[t][i * m + j + 1];
}
