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
KERNEL star_1024(const float *a, float *b) {
    int i = BX * WX + TX;
    b[i] = a[i - 1] + a[i + 1] + a[i - 1024] + a[i + 1024];
}
KERNEL box_1000(const float *a, float *b, int n) {
    int i = BX * WX + TX;
    if (i < n)
        b[i] = a[i - 1001] + a[i - 1000] + a[i - 999] + a[i - 1] + a[i] + a[i + 1] + a[i + 999] + a[i + 1000] + a[i + 1001];
}
KERNEL volume_64_32(const double *a, double *b) {
    long i = (long)BX * WX + TX;
    b[i] = a[i - 2] + a[i - 64] + a[i + 64 * 32] + a[i - 64 * 32];
}
KERNEL two_fields(const float *a, float *b) {
    int i = BX * WX + TX;
    b[i] = a[i - 1] + a[i + 1] + a[i + 10000000];
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
// CHECK: kernel: flat index, rows by neighbours alone, arrays may overlap; i = threadIdx.x+blockIdx.x*blockDim.x; x = i%1024; y = i/1024
// CHECK-NEXT: stencil in star_1024: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1 y -1..1
// CHECK-NEXT:   reads a[0]: (-1,0) (1,0) (0,-1) (0,1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(fadd(fadd(a[0](-1,0), a[0](1,0)), a[0](0,-1)), a[0](0,1))
// CHECK: kernel: flat index, rows by neighbours alone, arrays may overlap; i = threadIdx.x+blockIdx.x*blockDim.x, i < n; x = i%1000; y = i/1000
// CHECK-NEXT: stencil in box_1000: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1 y -1..1
// CHECK-NEXT:   reads a[0]: (-1,-1) (0,-1) (1,-1) (-1,0) (0,0) (1,0) (-1,1) (0,1) (1,1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(fadd(fadd(fadd(fadd(fadd(fadd(fadd(a[0](-1,-1), a[0](0,-1)), a[0](1,-1)), a[0](-1,0)), a[0](0,0)), a[0](1,0)), a[0](-1,1)), a[0](0,1)), a[0](1,1))
// CHECK: kernel: flat index, rows by neighbours alone, arrays may overlap; i = threadIdx.x+blockIdx.x*blockDim.x; x = i%64; y = i/64%32; z = i/2048
// CHECK-NEXT: stencil in volume_64_32: rank 3, one sweep
// CHECK-NEXT:   grid b: f64, 1 buffer, halo x 0..0 y 0..0 z 0..0
// CHECK-NEXT:   grid a: f64, 1 buffer, halo x -2..0 y -1..0 z -1..1
// CHECK-NEXT:   reads a[0]: (-2,0,0) (0,-1,0) (0,0,1) (0,0,-1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(fadd(fadd(a[0](-2,0,0), a[0](0,-1,0)), a[0](0,0,1)), a[0](0,0,-1))
// CHECK: kernel: blocks, arrays may overlap; x = threadIdx.x+blockIdx.x*blockDim.x
// CHECK-NEXT: stencil in two_fields: rank 1, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x 0..0
// CHECK-NEXT:   reads a[0]: (-1) (1)
// CHECK-NEXT:   reads a[0]: (0)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(fadd(a[0](-1), a[0](1)), a[0](0))
