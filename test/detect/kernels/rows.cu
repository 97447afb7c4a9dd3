// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A flat index that nothing divides: neighbours of other rows are those in memory, across the ends of rows.
// RUN: %clang %cuda -O1 %s -o - | %opt %early1 2>&1 | FileCheck %s
// RUN: %clang %cuda -O2 %s -o - | %opt %early2 2>&1 | FileCheck %s
// RUN: %clang %cuda -O3 %s -o - | %opt %early3 2>&1 | FileCheck %s
// RUN: %clang %hip -O1 %s -o - | %opt %early1 2>&1 | FileCheck %s
// RUN: %clang %hip -O2 %s -o - | %opt %early2 2>&1 | FileCheck %s
// RUN: %clang %hip -O3 %s -o - | %opt %early3 2>&1 | FileCheck %s
#include "Inputs/gpu.h"

KERNEL unguarded(const float *a, float *b, int n) {
    int i = BX * WX + TX;
    b[i] = a[i - 1] + a[i + 1] + a[i - n] + a[i + n] + a[i + n + 1];
}
KERNEL all_cells(const float *a, float *b, int n, int m) {
    int i = BX * WX + TX;
    if (i < n * m)
        b[i] = a[i - 1] + a[i + 1] + a[i - n] + a[i + n];
}
KERNEL volume(const float *a, float *b, long nx, long ny) {
    long i = (long)BX * WX + TX;
    b[i] = a[i - 1] + a[i - nx] + a[i + nx * ny];
}
KERNEL line(const float *a, const float *c, float *b) {
    int i = BX * WX + TX;
    b[i] = a[i - 1] + c[i] * a[i + 1];
}

// CHECK: kernel: flat index, rows by neighbours alone, arrays may overlap; i = threadIdx.x+blockIdx.x*blockDim.x; x = i%n; y = i/n
// CHECK-NEXT: stencil in unguarded: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1 y -1..1
// CHECK-NEXT:   reads a[0]: (-1,0) (1,0) (0,-1) (0,1) (1,1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(fadd(fadd(fadd(a[0](-1,0), a[0](1,0)), a[0](0,-1)), a[0](0,1)), a[0](1,1))
// CHECK: kernel: flat index, rows by neighbours alone, arrays may overlap; i = threadIdx.x+blockIdx.x*blockDim.x; x = i%n; y = i/n, y < m
// CHECK-NEXT: stencil in all_cells: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1 y -1..1
// CHECK-NEXT:   reads a[0]: (-1,0) (1,0) (0,-1) (0,1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(fadd(fadd(a[0](-1,0), a[0](1,0)), a[0](0,-1)), a[0](0,1))
// CHECK: kernel: flat index, rows by neighbours alone, arrays may overlap; i = threadIdx.x+blockIdx.x*blockDim.x; x = i%nx; y = i/nx%ny; z = i/(nx*ny)
// CHECK-NEXT: stencil in volume: rank 3, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0 z 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..0 y -1..0 z 0..1
// CHECK-NEXT:   reads a[0]: (-1,0,0) (0,-1,0) (0,0,1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(fadd(a[0](-1,0,0), a[0](0,-1,0)), a[0](0,0,1))
// CHECK: kernel: blocks, arrays may overlap; x = threadIdx.x+blockIdx.x*blockDim.x
// CHECK-NEXT: stencil in line: rank 1, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1
// CHECK-NEXT:   grid c: f32, 1 buffer, halo x 0..0
// CHECK-NEXT:   reads a[0]: (-1) (1)
// CHECK-NEXT:   reads c[0]: (0)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(a[0](-1), fmul(c[0](0), a[0](1)))
