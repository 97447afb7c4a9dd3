// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O2 -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s

// A neighbour 17 cells away, in the time loop and in a single sweep.
void far(int n, int m, int steps, float A[2][n][m]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            // CHECK: radius.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: a neighbour is too far away (8 cells are supported), or not at a fixed distance
            for (int j = 17; j < m - 17; j++)
                A[(t + 1) % 2][i][j] = A[t % 2][i][j - 17] + A[t % 2][i][j + 17];
}
void sweep(int n, const float *restrict a, float *restrict b) {
    // CHECK: radius.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: a neighbour is too far away (8 cells are supported), or not at a fixed distance
    for (int i = 17; i < n - 17; i++)
        b[i] = a[i - 17] + a[i + 17];
}
// Neighbours that are elsewhere in every other step: the sweeps are offloaded one by one.
void shifted(int n, int steps, float *a, float *b) {
    for (int t = 0; t < steps; t++) {
        float *in = t % 2 ? b + 1 : a, *out = t % 2 ? a : b;
        // CHECK: radius.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweep is offloaded without the loop around it, so arrays may be copied in each iteration of the outer loop: a neighbour is too far away (8 cells are supported), or not at a fixed distance
        // CHECK: radius.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil of radius 1, 2 cells read, f32, runs on a GPU where there is one: one sweep a call
        for (int i = 1; i < n - 1; i++)
            out[i] = in[i - 1] + in[i + 1];
    }
}
