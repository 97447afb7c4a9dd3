// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cells of the border are copied, or have a statement of their own: all ways write one element, as one choice. -O1 leaves two stores of the second kernel.
// RUN: %clang %cuda -O1 %s -o - | %opt %early1 2>&1 | FileCheck %s
// RUN: %clang %cuda -O2 %s -o - | %opt %early2 2>&1 | FileCheck %s
// RUN: %clang %cuda -O3 %s -o - | %opt %early3 2>&1 | FileCheck %s
// RUN: %clang %hip -O1 %s -o - | %opt %early1 2>&1 | FileCheck %s
// RUN: %clang %hip -O2 %s -o - | %opt %early2 2>&1 | FileCheck %s
// RUN: %clang %hip -O3 %s -o - | %opt %early3 2>&1 | FileCheck %s
#include "Inputs/gpu.h"

#define CELL int x = BX * WX + TX, y = BY * WY + TY
#define SUM (a[y * n + x - 1] + a[y * n + x + 1] + a[(y - 1) * n + x] + a[(y + 1) * n + x])

KERNEL border_kept(const float *__restrict__ a, float *__restrict__ b, int n, int m) {
    CELL;
    if (x < n && y < m)
        b[y * n + x] = x > 0 && x < n - 1 && y > 0 && y < m - 1 ? SUM : a[y * n + x];
}
KERNEL border_copied(const float *a, float *b, int n, int m) {
    CELL;
    if (x >= n || y >= m)
        return;
    if (x > 0 && x < n - 1 && y > 0 && y < m - 1)
        b[y * n + x] = SUM;
    else
        b[y * n + x] = a[y * n + x];
}

// CHECK: kernel: blocks; x = threadIdx.x+blockIdx.x*blockDim.x, x < n; y = threadIdx.y+blockIdx.y*blockDim.y, y < m
// CHECK-NEXT: stencil in border_kept: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1 y -1..1
// CHECK:        reads a[0]:{{.*}} (-1,0)? (1,0)? (0,-1)? (0,1)?
// CHECK:        = select({{.*}}fadd(fadd(fadd(a[0](-1,0), a[0](1,0)), a[0](0,-1)), a[0](0,1))
// CHECK: kernel: blocks, arrays may overlap; x = threadIdx.x+blockIdx.x*blockDim.x, x < n; y = threadIdx.y+blockIdx.y*blockDim.y, y < m
// CHECK-NEXT: stencil in border_copied: rank 2, one sweep
// CHECK:        reads a[0]:{{.*}} (-1,0)? (1,0)? (0,-1)? (0,1)?

// Where y is 0, LLVM writes b[x].
// CHECK: stencil in first_row: rank 2, one sweep
// CHECK:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK:   reads {{.*}}
// CHECK:   = select({{.*}}fsub(
KERNEL first_row(float v, const float *a, float *b, int n, int m) {
    CELL;
    if (x < n && y < m) {
        if (y == 0)
            b[y * n + x] = v;
        else
            b[y * n + x] = a[y * n + x] - a[(y - 1) * n + x];
    }
}
// CHECK: stencil in one_sided: rank 2, one sweep
// CHECK:   grid a: f32, 1 buffer, halo x 0..0 y -1..1
// CHECK:   reads a[0]: {{.*}}
KERNEL one_sided(const float *a, float *b, int n, int m) {
    CELL;
    int i = y * n + x;
    if (x >= n || y >= m)
        return;
    if (y == 0)
        b[i] = a[i + n] - a[i];
    else if (y == m - 1)
        b[i] = a[i] - a[i - n];
    else
        b[i] = a[i + n] - a[i - n];
}
// The element written there is another cell's, or no cell's. If it is one, its thread and this one race.
// LLVM may make one store of both, to a place that is chosen.
// CHECK: stencil in elsewhere: {{rank 2, one sweep|KernelIndex: .* grow evenly}}
KERNEL elsewhere(float v, const float *a, float *b, int n, int m) {
    CELL;
    if (x < n && y < m) {
        if (y == 0)
            b[3 * n + x] = v;
        else
            b[y * n + x] = a[y * n + x] - a[(y - 1) * n + x];
    }
}
