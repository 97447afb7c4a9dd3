// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Neighbours chosen by conditions: each of those that may be read is a cell that is read where the condition is so.
// RUN: %clang %cuda -O2 %s -o - | %opt %early2 2>&1 | FileCheck %s
// RUN: %clang %cuda -O3 %s -o - | %opt %early3 2>&1 | FileCheck %s
// RUN: %clang %hip -O2 %s -o - | %opt %early2 2>&1 | FileCheck %s
#include "Inputs/gpu.h"

#define CELL int x = BX * WX + TX, y = BY * WY + TY
#define INSIDE if (x < 2 || y < 2 || x >= n - 2 || y >= m - 2) return

// CHECK: stencil in upwind: rank 2, one sweep
// CHECK: reads v[0]: (0,0)
// CHECK: reads a[0]: {{.*}}(-1,0)?
// CHECK: select({{%[0-9]+}}, a[0](-1,0), a[0](1,0))
KERNEL upwind(const float *v, const float *a, float *b, int n, int m) {
    CELL; INSIDE;
    int i = y * n + x, from = v[i] > 0 ? i - 1 : i + 1;
    b[i] = v[i] * a[from];
}
// CHECK: stencil in as_number: rank 2, one sweep
// CHECK: select({{%[0-9]+}}, a[0](-1,0), a[0](0,0))
KERNEL as_number(const float *v, const float *a, float *b, int n, int m) {
    CELL; INSIDE;
    int i = y * n + x;
    b[i] = v[i] * a[i - (v[i] > 0)];
}
// CHECK: stencil in four: rank 2, one sweep
KERNEL four(const float *v, const float *a, float *b, int n, int m) {
    CELL; INSIDE;
    int i = y * n + x;
    b[i] = a[i + (v[i] > 0 ? 1 : -1) + (v[i - 1] > 0 ? 1 : -1) + n * (v[i + 1] > 0 ? 1 : -1) + n * (v[i - n] > 0 ? 1 : -1)];
}
// CHECK: no stencil in five: KernelIndex: the address of an array access is not a linear function of thread and block numbers (it is chosen by more than four conditions)
KERNEL five(const float *v, const float *a, float *b, int n, int m) {
    CELL; INSIDE;
    int i = y * n + x;
    b[i] = a[i + (v[i] > 0 ? 1 : -1) + (v[i - 1] > 0 ? 1 : -1) + n * (v[i + 1] > 0 ? 1 : -1) + n * (v[i - n] > 0 ? 1 : -1) + 2 * n * (v[i + n] > 0)];
}
// Where a thread writes depends on what it reads.
// CHECK: no stencil in scatters: KernelIndex: {{.*}}(it is computed with conditions)
KERNEL scatters(const float *v, const float *a, float *b, int n, int m) {
    CELL; INSIDE;
    int i = y * n + x;
    b[i + (v[i] > 0)] = a[i] + a[i + 1];
}
// CHECK: no stencil in in_place: KernelInPlace:
KERNEL in_place(const float *v, float *b, int n, int m) {
    CELL; INSIDE;
    int i = y * n + x;
    b[i] = v[i] * b[v[i] > 0 ? i - 1 : i + 1];
}
// By whether a row is odd, as of red and black cells in arrays of their own.
// CHECK: stencil in red_cells: rank 2, one sweep
// CHECK: reads {{.}}[0]: (0,-1) (0,1) (-1,0)? (0,0) (1,0)?
KERNEL red_cells(const float *a, float *b, int n, int m) {
    CELL; INSIDE;
    int i = y * n + x;
    b[i] = a[i - n] + a[i + n] + a[i - (y & 1)] + a[i + ((y + 1) & 1)];
}
// The cell itself, at borders that are mirrored: LLVM turns the bits of x by its sign.
// CHECK: stencil in mirrored: rank 2, one sweep
// CHECK: boundary x {{clamp|symmetric}}..{{clamp|symmetric}} y none..none
KERNEL mirrored(const float *a, float *b, int n, int m) {
    CELL;
    if (x >= n || y >= m)
        return;
    float s = 0;
    for (int k = -1; k <= 1; k++) {
        int u = x + k;
        u = u < 0 ? -u - 1 : u >= n ? 2 * n - u - 1 : u;
        s += a[y * n + u];
    }
    b[y * n + x] = s;
}
// CHECK: no stencil in turned_by_value: KernelIndirect:
KERNEL turned_by_value(const float *a, const int *c, float *b, int n, int m) {
    CELL; INSIDE;
    int i = y * n + x, k = c[i];
    b[i] = a[i - (k ^ (k >> 31))] + a[i - 1];
}
// CHECK: no stencil in red_in_place: KernelInPlace:
KERNEL red_in_place(float *a, int n, int m) {
    CELL; INSIDE;
    int i = y * n + x;
    a[i] = a[i - n] + a[i + n] + a[i - (y & 1)];
}
// Every second cell, the first or the second one.
// CHECK: no stencil in second_cells: KernelIndex: {{.*}}(it depends on whether a number is odd)
KERNEL second_cells(float *a, int n, int m) {
    CELL; INSIDE;
    int i = y * n + 2 * x + (y & 1);
    a[i] = a[i - n] + a[i + n] + a[i - 1] + a[i + 1];
}
// Cases of a switch that share an index.
// CHECK: no stencil in cases_alike: KernelBoundary: {{.*}}(it comes from branches that are not understood)
KERNEL cases_alike(const float *a, const int *d, float *b, int n, int m) {
    CELL; INSIDE;
    int i = y * n + x, to;
    switch (d[i]) {
    case 1:
    case 2: to = i + 1; break;
    case 4: to = i - n; break;
    case 7: to = i - 2; break;
    default: to = i + 2 * n;
    }
    b[i] = a[to] - a[i];
}
// All cases are there, so all cells are written.
// CHECK: stencil in cases_all: rank 2, one sweep
// CHECK: writes A[0]{{$}}
// CHECK-NOT: icmp.eq({{.*}}, 3)
KERNEL cases_all(const float *a, const int *d, float *b, int n, int m) {
    CELL; INSIDE;
    int i = y * n + x, to;
    switch (d[i] & 3) {
    case 0: to = i + 1; break;
    case 1: to = i - n; break;
    case 2: to = i - 2; break;
    case 3: to = i + 2 * n;
    }
    b[i] = a[to] - a[i];
}
