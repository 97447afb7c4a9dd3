// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of more than three loops the inner three are a sweep, which the loops around run again and again: components, members of an
// ensemble, or also neighbours, where nothing is written that is read.
// RUN: %clang -O2 -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s

enum { N = 70 };
float A[N][N][N][N], B[N][N][N][N];
#define CELLS                                                                                      \
    for (int l = 1; l < N - 1; l++)                                                                \
        for (int k = 1; k < N - 1; k++)                                                            \
            for (int j = 1; j < N - 1; j++)
void f(void) {
    CELLS
    // CHECK: rank.c:[[#@LINE+2]]:5: remark: the sweep is offloaded without the loop around it, so arrays may be copied in each iteration of the outer loop: the nest has more than three spatial dimensions; that of time is one if the array keeps all time steps
    // CHECK: rank.c:[[#@LINE+1]]:5: remark: 3-D stencil of radius 1, 2 cells read, f32, runs on a GPU where there is one: one sweep a call
    for (int i = 1; i < N - 1; i++)
        B[l][k][j][i] = A[l][k - 1][j][i] + A[l][k][j][i + 1];
}
void components(int count, long n, const float *a, float *b) {
    for (int c = 0; c < count; c++)
        for (int k = 1; k < n - 1; k++)
            for (int j = 1; j < n - 1; j++)
                // CHECK: rank.c:[[#@LINE+2]]:17: remark: the sweep is offloaded without the loop around it, so arrays may be copied in each iteration of the outer loop: the nest has more than three spatial dimensions
                // CHECK: rank.c:[[#@LINE+1]]:17: remark: 3-D stencil of radius 1, 2 cells read, f32, runs on a GPU where there is one: one sweep a call
                for (int i = 1; i < n - 1; i++)
                    b[((c * n + k) * n + j) * n + i] = a[((c * n + k - 1) * n + j) * n + i] + a[((c * n + k) * n + j) * n + i + 1];
}
void in_place(void) {
    CELLS
    // CHECK: rank.c:[[#@LINE+1]]:5: remark: loop nest not offloaded: the nest has more than three spatial dimensions
    for (int i = 1; i < N - 1; i++)
        B[l][k][j][i] = B[l][k - 1][j][i] + A[l][k][j][i + 1];
}
