// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O2 -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s

// A row in a loop that is no time loop is no step of its own.
float *next(int k);
void f(int n, int rows, const float *a, const int *mask) {
    for (int k = 0; k < rows; k++) {
        float *restrict b = next(k);
        // CHECK: conditional-load.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: an array element outside the cells that are always read is read only under a condition
        for (int i = 1; i < n - 1; i++)
            b[i] = a[i - 1] + a[i] + (mask[i] ? a[i + 1] : 0);
    }
}

// The cell beside the corner of a star's cells need not exist: that is for the runtime to find out.
void corner(int n, const float *a, const int *mask, float *restrict b) {
    // CHECK: conditional-load.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sweep of 1 output runs on a GPU
    for (int j = 1; j < n - 1; j++)
        for (int i = 1; i < n - 1; i++) {
            float v = a[(j - 1) * n + i] + a[(j + 1) * n + i] + a[j * n + i - 1] + a[j * n + i + 1];
            b[j * n + i] = mask[j * n + i] ? v + a[(j + 1) * n + i + 1] : v;
        }
}
// What comes round does not read the cell in front of the first one.
void wrapped(int n, const float *restrict a, const int *mask, float *restrict b) {
    // CHECK: conditional-load.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D sweep of 1 output runs on a GPU
    for (int i = 0; i < n; i++) {
        float v = a[i == 0 ? n - 1 : i - 1] - a[i == n - 1 ? 0 : i + 1];
        b[i] = mask[i] ? v + a[i - 1] : v;
    }
}
// One in the middle of its cells does exist.
void middle(int n, const float *a, const int *mask, float *restrict b) {
    // CHECK: conditional-load.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil of radius 1
    for (int i = 1; i < n - 1; i++) {
        float v = a[i - 1] + a[i + 1];
        b[i] = mask[i] ? v + a[i] : v;
    }
}
void around(int n, const float *restrict a, const int *mask, float *restrict b) {
    // CHECK: conditional-load.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D stencil of radius 1
    for (int i = 0; i < n; i++) {
        float v = a[i == 0 ? n - 1 : i - 1] - a[i == n - 1 ? 0 : i + 1];
        b[i] = mask[i] ? v + a[i] : v;
    }
}
