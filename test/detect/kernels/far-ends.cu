// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Beyond a border, one cell for all; loops that go up to an argument; planes that are an argument of their own.
// RUN: %clang %cuda -O2 %s -o - | %opt %early2 2>&1 | FileCheck %s
// RUN: %clang %cuda -O3 %s -o - | %opt %early3 2>&1 | FileCheck %s
// RUN: %clang %hip -O3 %s -o - | %opt %early3 2>&1 | FileCheck %s
#include "Inputs/gpu.h"

#define CELL int x = BX * WX + TX, y = BY * WY + TY
#define INSIDE if (x >= n || y >= m) return

KERNEL turned(const float *a, float *b, int n, int m) {
    CELL;
    INSIDE;
    int e = x + 1 > n - 1 ? n - 2 : x + 1, f = x + 2 > n - 1 ? n - 3 : x + 2;
    b[y * n + x] = a[y * n + x] + a[y * n + e] + a[y * n + f];
}
// CHECK: turn above n-1
// CHECK: stencil in turned: rank 2
// CHECK: boundary x none..turn y none..none
// CHECK: reads a[0]: (0,0) (1>,0) (2>,0)

// Two rules at one border.
KERNEL turned_and_mirrored(const float *a, float *b, int n, int m) {
    CELL;
    INSIDE;
    int e = x + 1 > n - 1 ? n - 2 : x + 1, f = x + 2 > n - 1 ? 2 * (n - 1) - x - 2 : x + 2;
    b[y * n + x] = a[y * n + x] + a[y * n + e] + a[y * n + f];
}
// CHECK: no stencil in turned_and_mirrored: KernelBoundary: {{.*}}accesses differ in their rules or bounds at one border

KERNEL last_rows(const float *a, const float *w, float *b, int n, int m) {
    CELL;
    INSIDE;
    float s = a[y * n + x] + a[y * n + x + 1];
#pragma nounroll
    for (int q = m - 4; q < m; q++)
        s += w[q - (m - 4)] * a[q * n + x];
    b[y * n + x] = s;
}
// CHECK: stencil in last_rows: rank 2
// CHECK: constant along x, constant along y
// CHECK: reads C[0]: (0,0) (1,0) (2,0) (3,0)

// Between two arguments: their distance is not known.
KERNEL some_rows(const float *a, float *b, int n, int m, int from) {
    CELL;
    INSIDE;
    float s = a[y * n + x];
#pragma nounroll
    for (int q = from - 4; q < m; q++)
        s += a[q * n + x];
    b[y * n + x] = s;
}
// CHECK: no stencil in some_rows: KernelCount

// Unsigned numbers may wrap: from m - 4 there may be no iteration before m, or many.
KERNEL unsigned_rows(const float *a, float *b, int n, int m, unsigned k) {
    CELL;
    INSIDE;
    float s = a[y * n + x];
#pragma nounroll
    for (unsigned q = k - 4; q < k; q++)
        s += a[(long)q * n + x];
    b[y * n + x] = s;
}
// CHECK: no stencil in unsigned_rows: KernelCount

KERNEL planes(float *a, const float *c, int nx, int plane) {
    int i = BX * WX + TX, f = i + i / nx + i / plane * (nx + 1) + 5;
    a[f] += c[f + 1] - c[f - 1];
}
// CHECK: kernel: flat index{{.*}}z = i/plane; {{.*}}-nx*(...)+plane >= 0, nx*(...)-plane >= 0
// CHECK: stencil in planes: rank 3

KERNEL two_numbers(float *a, const float *c, int nx, int plane) {
    int i = BX * WX + TX, f = i + i / nx + (i + 1) / plane * (nx + 1) + 5;
    a[f] += c[f + 1] - c[f - 1];
}
// CHECK: no stencil in two_numbers: KernelIndex: {{.*}}two different numbers are divided
