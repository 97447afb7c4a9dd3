// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which cells are written: one test, early returns, nested or chosen, per neighbour, none.
// RUN: %clang %cuda -O1 %s -o - | %opt %early1 2>&1 | FileCheck %s
// RUN: %clang %cuda -O2 %s -o - | %opt %early2 2>&1 | FileCheck %s
// RUN: %clang %cuda -O3 %s -o - | %opt %early3 2>&1 | FileCheck %s
// RUN: %clang %hip -O1 %s -o - | %opt %early1 2>&1 | FileCheck %s
// RUN: %clang %hip -O2 %s -o - | %opt %early2 2>&1 | FileCheck %s
// RUN: %clang %hip -O3 %s -o - | %opt %early3 2>&1 | FileCheck %s
#include "Inputs/gpu.h"

#define CELL int x = BX * WX + TX, y = BY * WY + TY
#define SUM (a[y * n + x - 1] + a[y * n + x + 1] + a[(y - 1) * n + x] + a[(y + 1) * n + x])

KERNEL early_return(const float *a, float *b, int n, int m) {
    CELL;
    if (x == 0 || y == 0 || x >= n - 1 || y >= m - 1)
        return;
    b[y * n + x] = SUM;
}
KERNEL early_returns(const float *a, float *b, int n, int m) {
    CELL;
    if (x < 1)
        return;
    if (x >= n - 1)
        return;
    if (y < 1)
        return;
    if (y >= m - 1)
        return;
    b[y * n + x] = SUM;
}
KERNEL nested(const float *a, float *b, int n, int m) {
    CELL;
    if (x > 0)
        if (y > 0)
            if (x < n - 1)
                if (y < m - 1)
                    b[y * n + x] = SUM;
}
KERNEL without_branches(const float *a, float *b, int n, int m) {
    CELL;
    bool inside = (x > 0) & (x < n - 1) & (y > 0) & (y < m - 1);
    if (inside)
        b[y * n + x] = SUM;
}
KERNEL one_comparison_each(const float *a, float *b, int n, int m) {
    CELL;
    if ((unsigned)(x - 1) < (unsigned)(n - 2) && (unsigned)(y - 1) < (unsigned)(m - 2))
        b[y * n + x] = SUM;
}
KERNEL per_neighbour(const float *a, float *b, int n, int m) {
    CELL;
    if (x >= n || y >= m)
        return;
    float sum = 0;
    if (x > 0)
        sum += a[y * n + x - 1];
    if (y < m - 1)
        sum += a[(y + 1) * n + x];
    b[y * n + x] = sum;
}
KERNEL none(const float *a, float *b, int n) {
    CELL;
    b[y * n + x] = SUM;
}
KERNEL only_if_asked(const float *a, float *b, int n, int m, int active) {
    CELL;
    if (active && x > 0 && x < n - 1 && y > 0 && y < m - 1)
        b[y * n + x] = SUM;
}

// CHECK: kernel: blocks, arrays may overlap; x = threadIdx.x+blockIdx.x*blockDim.x, x >= 1, x < n-1; y = threadIdx.y+blockIdx.y*blockDim.y, y >= 1, y < m-1
// CHECK-NEXT: stencil in early_return: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1 y -1..1
// CHECK-NEXT:   reads a[0]: (-1,0) (1,0) (0,-1) (0,1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(fadd(fadd(a[0](-1,0), a[0](1,0)), a[0](0,-1)), a[0](0,1))
// CHECK: kernel: blocks, arrays may overlap; x = threadIdx.x+blockIdx.x*blockDim.x, x >= 1, x < n-1; y = threadIdx.y+blockIdx.y*blockDim.y, y >= 1, y < m-1
// CHECK-NEXT: stencil in early_returns: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1 y -1..1
// CHECK-NEXT:   reads a[0]: (-1,0) (1,0) (0,-1) (0,1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(fadd(fadd(a[0](-1,0), a[0](1,0)), a[0](0,-1)), a[0](0,1))
// CHECK: kernel: blocks, arrays may overlap; x = threadIdx.x+blockIdx.x*blockDim.x, x >= 1, x < n-1; y = threadIdx.y+blockIdx.y*blockDim.y, y >= 1, y < m-1
// CHECK-NEXT: stencil in nested: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1 y -1..1
// CHECK-NEXT:   reads a[0]: (-1,0) (1,0) (0,-1) (0,1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(fadd(fadd(a[0](-1,0), a[0](1,0)), a[0](0,-1)), a[0](0,1))
// CHECK: kernel: blocks, arrays may overlap; x = threadIdx.x+blockIdx.x*blockDim.x, x >= 1, x < n-1; y = threadIdx.y+blockIdx.y*blockDim.y, y >= 1, y < m-1
// CHECK-NEXT: stencil in without_branches: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1 y -1..1
// CHECK-NEXT:   reads a[0]: (-1,0) (1,0) (0,-1) (0,1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(fadd(fadd(a[0](-1,0), a[0](1,0)), a[0](0,-1)), a[0](0,1))
// CHECK: kernel: blocks, arrays may overlap; x = threadIdx.x+blockIdx.x*blockDim.x, x >= 1, x < n-1; y = threadIdx.y+blockIdx.y*blockDim.y, y >= 1, y < m-1
// CHECK-NEXT: stencil in one_comparison_each: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1 y -1..1
// CHECK-NEXT:   reads a[0]: (-1,0) (1,0) (0,-1) (0,1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(fadd(fadd(a[0](-1,0), a[0](1,0)), a[0](0,-1)), a[0](0,1))
// CHECK: kernel: blocks, arrays may overlap; x = threadIdx.x+blockIdx.x*blockDim.x, x < n; y = threadIdx.y+blockIdx.y*blockDim.y, y < m
// CHECK-NEXT: stencil in per_neighbour: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..0 y 0..1
// CHECK-NEXT:   scalar s0: i32
// CHECK-NEXT:   reads a[0]: (-1,0)? (0,1)?
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   {{%[0-9]+}} = select({{.*}}, fadd(a[0](-1,0), 0), 0)
// CHECK-NEXT:   = select({{.*}}, fadd({{%[0-9]+}}, a[0](0,1)), {{%[0-9]+}})
// CHECK: kernel: blocks, arrays may overlap; x = threadIdx.x+blockIdx.x*blockDim.x; y = threadIdx.y+blockIdx.y*blockDim.y
// CHECK-NEXT: stencil in none: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1 y -1..1
// CHECK-NEXT:   reads a[0]: (-1,0) (1,0) (0,-1) (0,1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(fadd(fadd(a[0](-1,0), a[0](1,0)), a[0](0,-1)), a[0](0,1))
// CHECK: kernel: blocks, arrays may overlap; x = threadIdx.x+blockIdx.x*blockDim.x, x >= 1, x < n-1; y = threadIdx.y+blockIdx.y*blockDim.y, y >= 1, y < m-1
// CHECK-NEXT: stencil in only_if_asked: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1 y -1..1
// CHECK-NEXT:   reads a[0]: (-1,0) (1,0) (0,-1) (0,1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(fadd(fadd(a[0](-1,0), a[0](1,0)), a[0](0,-1)), a[0](0,1))

// Ends that are left out: the axis is shorter. Where nothing else bounds it, the launch must.
// CHECK: kernel: blocks, arrays may overlap; x = threadIdx.x+blockIdx.x*blockDim.x, x >= 1, x < n-1; y = threadIdx.y+blockIdx.y*blockDim.y, y >= 1, y < m-1; if {{.*}}n >= 0, {{.*}}m >= 0
// CHECK-NEXT: stencil in only_ends: rank 2, one sweep
KERNEL only_ends(const float *a, float *b, int n, int m) {
    int x = BX * WX + TX, y = BY * WY + TY;
    if (x == 0 || x == n - 1 || y == 0 || y == m - 1)
        return;
    b[y * n + x] = a[y * n + x - 1] + a[(y + 1) * n + x];
}
// CHECK: kernel: blocks, arrays may overlap; x = threadIdx.x+blockIdx.x*blockDim.x, x >= 1, x < n-1; y = blockIdx.y, y >= 1, y < m-1; if {{.*}}m >= 0
// CHECK-NEXT: stencil in block_a_row: rank 2, one sweep
KERNEL block_a_row(const float *a, float *b, int n, int m) {
    int x = BX * WX + TX, y = BY;
    if (x == 0 || x >= n - 1 || y == 0 || y == m - 1)
        return;
    b[y * n + x] = a[y * n + x - 1] + a[(y + 1) * n + x];
}
// A hole between other cells stays one.
// CHECK: kernel: blocks, arrays may overlap; x = threadIdx.x+blockIdx.x*blockDim.x, x < n, x != 5; y
// CHECK-NEXT: stencil in hole_between: rank 2, one sweep
KERNEL hole_between(const float *a, float *b, int n, int m) {
    int x = BX * WX + TX, y = BY * WY + TY;
    if (x >= n || y >= m || x == 5)
        return;
    b[y * n + x] = a[y * n + x - 1] + a[(y + 1) * n + x];
}
// A second condition that lets in all that are left: its bounds are guards.
// CHECK: kernel: blocks, arrays may overlap; x = threadIdx.x+blockIdx.x*blockDim.x, x < n; y = threadIdx.y+blockIdx.y*blockDim.y, y < m
// CHECK-NEXT: stencil in or_zero: rank 2, one sweep
KERNEL or_zero(const float *a, float *b, int n, int m) {
    int x = BX * WX + TX, y = BY * WY + TY;
    if (x > 0 && y > 0 && x < n - 1 && y < m - 1)
        b[y * n + x] = a[y * n + x - 1] + a[(y + 1) * n + x];
    else if (x < n && y < m)
        b[y * n + x] = 0;
}
