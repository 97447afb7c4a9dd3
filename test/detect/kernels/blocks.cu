// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Coordinates from two and three dimensions of threads and blocks.
// RUN: %clang %cuda -O1 %s -o - | %opt %early1 2>&1 | FileCheck %s
// RUN: %clang %cuda -O2 %s -o - | %opt %early2 2>&1 | FileCheck %s
// RUN: %clang %cuda -O3 %s -o - | %opt %early3 2>&1 | FileCheck %s
// RUN: %clang %hip -O1 %s -o - | %opt %early1 2>&1 | FileCheck %s
// RUN: %clang %hip -O2 %s -o - | %opt %early2 2>&1 | FileCheck %s
// RUN: %clang %hip -O3 %s -o - | %opt %early3 2>&1 | FileCheck %s
#include "Inputs/gpu.h"

#define STAR2(T, n) b[y * n + x] = a[y * n + x - 1] + a[y * n + x + 1] + a[(y - 1) * n + x] + a[(y + 1) * n + x]

KERNEL signed32(const float *a, float *b, int n, int m) {
    int x = BX * WX + TX, y = BY * WY + TY;
    if (x > 0 && x < n - 1 && y > 0 && y < m - 1)
        STAR2(int, n);
}
KERNEL unsigned32(const float *a, float *b, unsigned n, unsigned m) {
    unsigned x = BX * WX + TX, y = BY * WY + TY;
    if (x > 0 && x < n - 1 && y > 0 && y < m - 1)
        STAR2(unsigned, n);
}
KERNEL signed64(const float *a, float *b, long n, long m) {
    long x = (long)BX * WX + TX, y = (long)BY * WY + TY;
    if (x > 0 && x < n - 1 && y > 0 && y < m - 1)
        STAR2(long, n);
}
KERNEL unsigned64(const float *a, float *b, unsigned long n, unsigned long m) {
    unsigned long x = (unsigned long)BX * WX + TX, y = (unsigned long)BY * WY + TY;
    if (x > 0 && x < n - 1 && y > 0 && y < m - 1)
        STAR2(unsigned long, n);
}
KERNEL shifted(const float *a, float *b, int n, int m) {
    int x = BX * WX + TX + 1, y = BY * WY + TY + 1;
    if (x < n - 1 && y < m - 1)
        STAR2(int, n);
}
KERNEL fixed_block(const float *a, float *b, int n, int m) {
    int x = BX * 32 + TX, y = BY * 8 + TY;
    if (x > 0 && x < n - 1 && y > 0 && y < m - 1)
        STAR2(int, n);
}
KERNEL fixed_pitch(const float *a, float *b) {
    int x = BX * WX + TX, y = BY * WY + TY;
    if (x > 0 && x < 1023 && y > 0 && y < 511)
        STAR2(int, 1024);
}
KERNEL transposed(const float *a, float *b, int n, int m) {
    int y = BX * WX + TX, x = BY * WY + TY;
    if (x > 0 && x < n - 1 && y > 0 && y < m - 1)
        STAR2(int, n);
}
KERNEL row_is_block(const float *a, float *b, int n, int m) {
    int x = TX + 1, y = BX + 1;
    STAR2(int, n);
}
KERNEL three(const double *a, double *b, int nx, int ny, int nz) {
    int x = BX * WX + TX, y = BY * WY + TY, z = BZ * WZ + TZ;
    if (x < 1 || x > nx - 2 || y < 1 || y > ny - 2 || z < 1 || z > nz - 2)
        return;
    int i = (z * ny + y) * nx + x;
    b[i] = a[i - 1] + a[i + nx] + a[i - nx * ny] + a[i + nx * ny];
}
KERNEL one(const float *a, float *b, int n) {
    int i = BX * WX + TX;
    if (i >= 2 && i < n - 2)
        b[i] = a[i - 2] + a[i + 2] + (float)i;
}

// CHECK: kernel: blocks, arrays may overlap; x = threadIdx.x+blockIdx.x*blockDim.x, x >= 1, x < n-1; y = threadIdx.y+blockIdx.y*blockDim.y, y >= 1, y < m-1
// CHECK-NEXT: stencil in signed32: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1 y -1..1
// CHECK-NEXT:   reads a[0]: (-1,0) (1,0) (0,-1) (0,1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(fadd(fadd(a[0](-1,0), a[0](1,0)), a[0](0,-1)), a[0](0,1))
// CHECK: kernel: blocks, arrays may overlap; x = threadIdx.x+blockIdx.x*blockDim.x, x >= 1, x < n-1; y = threadIdx.y+blockIdx.y*blockDim.y, y >= 1, y < m-1
// CHECK-NEXT: stencil in unsigned32: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1 y -1..1
// CHECK-NEXT:   reads a[0]: (-1,0) (1,0) (0,-1) (0,1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(fadd(fadd(a[0](-1,0), a[0](1,0)), a[0](0,-1)), a[0](0,1))
// CHECK: kernel: blocks, arrays may overlap; x = threadIdx.x+blockIdx.x*blockDim.x, x >= 1, x < n-1; y = threadIdx.y+blockIdx.y*blockDim.y, y >= 1, y < m-1
// CHECK-NEXT: stencil in signed64: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1 y -1..1
// CHECK-NEXT:   reads a[0]: (-1,0) (1,0) (0,-1) (0,1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(fadd(fadd(a[0](-1,0), a[0](1,0)), a[0](0,-1)), a[0](0,1))
// CHECK: kernel: blocks, arrays may overlap; x = threadIdx.x+blockIdx.x*blockDim.x, x >= 1, x < n-1; y = threadIdx.y+blockIdx.y*blockDim.y, y >= 1, y < m-1
// CHECK-NEXT: stencil in unsigned64: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1 y -1..1
// CHECK-NEXT:   reads a[0]: (-1,0) (1,0) (0,-1) (0,1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(fadd(fadd(a[0](-1,0), a[0](1,0)), a[0](0,-1)), a[0](0,1))
// CHECK: kernel: blocks, arrays may overlap; x = threadIdx.x+blockIdx.x*blockDim.x, x < n-2; y = threadIdx.y+blockIdx.y*blockDim.y, y < m-2
// CHECK-NEXT: stencil in shifted: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1 y -1..1
// CHECK-NEXT:   reads a[0]: (-1,0) (1,0) (0,-1) (0,1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(fadd(fadd(a[0](-1,0), a[0](1,0)), a[0](0,-1)), a[0](0,1))
// CHECK: kernel: blocks, arrays may overlap; x = threadIdx.x+32*blockIdx.x, x >= 1, x < n-1; y = threadIdx.y+8*blockIdx.y, y >= 1, y < m-1
// CHECK-NEXT: stencil in fixed_block: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1 y -1..1
// CHECK-NEXT:   reads a[0]: (-1,0) (1,0) (0,-1) (0,1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(fadd(fadd(a[0](-1,0), a[0](1,0)), a[0](0,-1)), a[0](0,1))
// CHECK: kernel: blocks, arrays may overlap; x = threadIdx.x+blockIdx.x*blockDim.x, x >= 1, x < 1023; y = threadIdx.y+blockIdx.y*blockDim.y, y >= 1, y < 511
// CHECK-NEXT: stencil in fixed_pitch: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1 y -1..1
// CHECK-NEXT:   reads a[0]: (-1,0) (1,0) (0,-1) (0,1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(fadd(fadd(a[0](-1,0), a[0](1,0)), a[0](0,-1)), a[0](0,1))
// CHECK: kernel: blocks, arrays may overlap; x = threadIdx.y+blockIdx.y*blockDim.y, x >= 1, x < n-1; y = threadIdx.x+blockIdx.x*blockDim.x, y >= 1, y < m-1
// CHECK-NEXT: stencil in transposed: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1 y -1..1
// CHECK-NEXT:   reads a[0]: (-1,0) (1,0) (0,-1) (0,1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(fadd(fadd(a[0](-1,0), a[0](1,0)), a[0](0,-1)), a[0](0,1))
// CHECK: kernel: blocks, arrays may overlap; x = threadIdx.x; y = blockIdx.x
// CHECK-NEXT: stencil in row_is_block: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1 y -1..1
// CHECK-NEXT:   reads a[0]: (-1,0) (1,0) (0,-1) (0,1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(fadd(fadd(a[0](-1,0), a[0](1,0)), a[0](0,-1)), a[0](0,1))
// CHECK: kernel: blocks, arrays may overlap; x = threadIdx.x+blockIdx.x*blockDim.x, x >= 1, x < nx-1; y = threadIdx.y+blockIdx.y*blockDim.y, y >= 1, y < ny-1; z = threadIdx.z+blockIdx.z*blockDim.z, z >= 1, z < nz-1
// CHECK-NEXT: stencil in three: rank 3, one sweep
// CHECK-NEXT:   grid b: f64, 1 buffer, halo x 0..0 y 0..0 z 0..0
// CHECK-NEXT:   grid a: f64, 1 buffer, halo x -1..0 y 0..1 z -1..1
// CHECK-NEXT:   reads a[0]: (-1,0,0) (0,1,0) (0,0,-1) (0,0,1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(fadd(fadd(a[0](-1,0,0), a[0](0,1,0)), a[0](0,0,-1)), a[0](0,0,1))
// CHECK: kernel: blocks, arrays may overlap; x = threadIdx.x+blockIdx.x*blockDim.x, x >= 2, x < n-2
// CHECK-NEXT: stencil in one: rank 1, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -2..2
// CHECK-NEXT:   reads a[0]: (-2) (2)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(fadd(a[0](-2), a[0](2)), uitofp.f32(trunc.i32(x)))
