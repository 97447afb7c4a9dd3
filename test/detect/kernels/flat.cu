// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One flat index, taken apart by divisions.
// RUN: %clang %cuda -O1 %s -o - | %opt %early1 2>&1 | FileCheck %s
// RUN: %clang %cuda -O2 %s -o - | %opt %early2 2>&1 | FileCheck %s
// RUN: %clang %cuda -O3 %s -o - | %opt %early3 2>&1 | FileCheck %s
// RUN: %clang %hip -O1 %s -o - | %opt %early1 2>&1 | FileCheck %s
// RUN: %clang %hip -O2 %s -o - | %opt %early2 2>&1 | FileCheck %s
// RUN: %clang %hip -O3 %s -o - | %opt %early3 2>&1 | FileCheck %s
#include "Inputs/gpu.h"

KERNEL signed_rem(const float *a, float *b, int n, int m) {
    int i = BX * WX + TX, x = i % n, y = i / n;
    if (x > 0 && x < n - 1 && y > 0 && y < m - 1)
        b[y * n + x] = a[y * n + x - 1] + a[(y + 1) * n + x];
}
KERNEL unsigned_rem(const float *a, float *b, unsigned n, unsigned m) {
    unsigned i = BX * WX + TX, x = i % n, y = i / n;
    if (x > 0 && x < n - 1 && y > 0 && y < m - 1)
        b[y * n + x] = a[y * n + x - 1] + a[(y + 1) * n + x];
}
KERNEL without_rem(const float *a, float *b, long n, long m) {
    long i = (long)BX * WX + TX, y = i / n, x = i - (i / n) * n;
    if (x > 0 && x < n - 1 && y > 0 && y < m - 1)
        b[i] = a[i - 1] + a[i + n];
}
KERNEL powers_of_two(const float *a, float *b) {
    unsigned i = BX * WX + TX, x = i & 255, y = i >> 8;
    if (x > 0 && x < 255 && y > 0 && y < 127)
        b[i] = a[i - 1] + a[i + 256];
}
KERNEL constant(const float *a, float *b) {
    int i = BX * WX + TX, x = i % 1000, y = i / 1000;
    if (x > 0 && x < 999 && y > 0 && y < 499)
        b[i] = a[i - 1] + a[i + 1000];
}
KERNEL other_pitch(const float *a, float *b, int n, int m, int pitch) {
    int i = BX * WX + TX, x = i % n, y = i / n;
    if (x > 0 && x < n - 1 && y > 0 && y < m - 1)
        b[y * pitch + x] = a[y * pitch + x - 1] + a[(y + 1) * pitch + x];
}
KERNEL three(const float *a, float *b, int nx, int ny, int nz) {
    int i = BX * WX + TX, x = i % nx, y = i / nx % ny, z = i / (nx * ny);
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1)
        b[i] = a[i - 1] + a[i + nx] + a[i - nx * ny];
}
KERNEL three_by_rest(const float *a, float *b, int nx, int ny, int nz) {
    int i = BX * WX + TX, z = i / (nx * ny), rest = i - z * nx * ny, y = rest / nx, x = rest % nx;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1)
        b[i] = a[i - 1] + a[i + nx] + a[i - nx * ny];
}
KERNEL three_nested(const float *a, float *b, long nx, long ny, long nz) {
    long i = (long)BX * WX + TX, x = i % nx, y = i / nx % ny, z = i / nx / ny;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1)
        b[(z * ny + y) * nx + x] = a[(z * ny + y) * nx + x - 1] + a[((z - 1) * ny + y) * nx + x];
}

// CHECK: kernel: flat index, arrays may overlap; i = threadIdx.x+blockIdx.x*blockDim.x; x = i%n, x >= 1, x < n-1; y = i/n, y >= 1, y < m-1
// CHECK-NEXT: stencil in signed_rem: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..0 y 0..1
// CHECK-NEXT:   reads a[0]: (-1,0) (0,1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(a[0](-1,0), a[0](0,1))
// CHECK: kernel: flat index, arrays may overlap; i = threadIdx.x+blockIdx.x*blockDim.x; x = i%n, x >= 1, x < n-1; y = i/n, y >= 1, y < m-1
// CHECK-NEXT: stencil in unsigned_rem: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..0 y 0..1
// CHECK-NEXT:   reads a[0]: (-1,0) (0,1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(a[0](-1,0), a[0](0,1))
// CHECK: kernel: flat index, arrays may overlap; i = threadIdx.x+blockIdx.x*blockDim.x; x = i%n, x >= 1, x < n-1; y = i/n, y >= 1, y < m-1
// CHECK-NEXT: stencil in without_rem: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..0 y 0..1
// CHECK-NEXT:   reads a[0]: (-1,0) (0,1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(a[0](-1,0), a[0](0,1))
// CHECK: kernel: flat index, arrays may overlap; i = threadIdx.x+blockIdx.x*blockDim.x; x = i%256, x >= 1, x < 255; y = i/256, y >= 1, y < 127
// CHECK-NEXT: stencil in powers_of_two: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..0 y 0..1
// CHECK-NEXT:   reads a[0]: (-1,0) (0,1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(a[0](-1,0), a[0](0,1))
// CHECK: kernel: flat index, arrays may overlap; i = threadIdx.x+blockIdx.x*blockDim.x; x = i%1000, x >= 1, x < 999; y = i/1000, y >= 1, y < 499
// CHECK-NEXT: stencil in constant: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..0 y 0..1
// CHECK-NEXT:   reads a[0]: (-1,0) (0,1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(a[0](-1,0), a[0](0,1))
// CHECK: kernel: flat index, arrays may overlap; i = threadIdx.x+blockIdx.x*blockDim.x; x = i%n, x >= 1, x < n-1; y = i/n, y >= 1, y < m-1
// CHECK-NEXT: stencil in other_pitch: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..0 y 0..1
// CHECK-NEXT:   reads a[0]: (-1,0) (0,1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(a[0](-1,0), a[0](0,1))
// CHECK: kernel: flat index, arrays may overlap; i = threadIdx.x+blockIdx.x*blockDim.x; x = i%nx, x >= 1, x < nx-1; y = i/nx%ny, y >= 1, y < ny-1; z = i/(nx*ny), z >= 1, z < nz-1
// CHECK-NEXT: stencil in three: rank 3, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0 z 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..0 y 0..1 z -1..0
// CHECK-NEXT:   reads a[0]: (-1,0,0) (0,1,0) (0,0,-1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(fadd(a[0](-1,0,0), a[0](0,1,0)), a[0](0,0,-1))
// CHECK: kernel: flat index, arrays may overlap; i = threadIdx.x+blockIdx.x*blockDim.x; x = i%nx, x >= 1, x < nx-1; y = i/nx%ny, y >= 1, y < ny-1; z = i/(nx*ny), z >= 1, z < nz-1
// CHECK-NEXT: stencil in three_by_rest: rank 3, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0 z 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..0 y 0..1 z -1..0
// CHECK-NEXT:   reads a[0]: (-1,0,0) (0,1,0) (0,0,-1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(fadd(a[0](-1,0,0), a[0](0,1,0)), a[0](0,0,-1))
// CHECK: kernel: flat index, arrays may overlap; i = threadIdx.x+blockIdx.x*blockDim.x; x = i%nx, x >= 1, x < nx-1; y = i/nx%ny, y >= 1, y < ny-1; z = i/(nx*ny), z >= 1, z < nz-1
// CHECK-NEXT: stencil in three_nested: rank 3, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0 z 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..0 y 0..0 z -1..0
// CHECK-NEXT:   reads a[0]: (-1,0,0) (0,0,-1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(a[0](-1,0,0), a[0](0,0,-1))

// CUDA's __mul24 of numbers of blocks and threads. Of other numbers it takes bits away.
// CHECK: kernel: blocks, arrays may overlap; x = threadIdx.x+blockIdx.x*blockDim.x, x >= 1, x < n; if -gridDim.x+8388608 >= 0
// CHECK-NEXT: stencil in products24: rank 1, one sweep
KERNEL products24(const float *a, float *b, int n) {
    int x = ((int)((unsigned)BX << 8) >> 8) * (int)WX + TX;
    if (x >= 1 && x < n)
        b[x] = a[x - 1] + a[x];
}
// CHECK: no stencil in other_products24: KernelIndex: {{.*}}(it is computed with fewer than 32 bits; compute it as an int)
KERNEL other_products24(const float *a, float *b, int n, int m) {
    int x = BX * WX + TX, y = BY * WY + TY, i = ((int)((unsigned)y << 8) >> 8) * n + x;
    if (x >= 1 && x < n && y < m)
        b[i] = a[i - 1] + a[i];
}
