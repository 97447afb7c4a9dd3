// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cells that are further away than a radius may be: of kernels no loop says how many cells there are.
// RUN: %clang %cuda -O3 %s -o - | %opt %early3 2>&1 | FileCheck %s
// RUN: %clang %hip -O3 %s -o - | %opt %early3 2>&1 | FileCheck %s
#include "Inputs/gpu.h"

KERNEL far_along_x(const float *a, float *b, int n, int m) {
    int x = BX * WX + TX, y = BY * WY + TY;
    if (x < n && y < m)
        b[y * n + x] = a[y * n + x] + a[(y + 1) * n + x] + a[y * n + x + 20];
}
// CHECK: stencil in far_along_x: rank 2
// CHECK: reads a[0]: (0,0) (0,1)

// The row's number, by 64, is a row of another array; its cells are up to 63 away.
KERNEL product(const int *a, const int *b, int *c) {
    int row = BX * WX + TX, col = BY * WY + TY;
    if (row >= 64 || col >= 64)
        return;
    int sum = 0;
    for (int k = 0; k < 64; k++)
        sum += a[row * 64 + k] * b[k * 64 + col];
    c[row * 64 + col] = sum;
}
// CHECK: stencil in product: rank 2
