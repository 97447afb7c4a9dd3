// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops in the kernel: over further cells, and along an axis.
// RUN: %clang %cuda -O1 %s -o - | %opt %early1 2>&1 | FileCheck %s
// RUN: %clang %cuda -O2 %s -o - | %opt %early2 2>&1 | FileCheck %s
// RUN: %clang %cuda -O3 %s -o - | %opt %early3 2>&1 | FileCheck %s
// RUN: %clang %hip -O1 %s -o - | %opt %early1 2>&1 | FileCheck %s
// RUN: %clang %hip -O2 %s -o - | %opt %early2 2>&1 | FileCheck %s
// RUN: %clang %hip -O3 %s -o - | %opt %early3 2>&1 | FileCheck %s
#include "Inputs/gpu.h"

KERNEL stride_flat(const float *a, float *b, long n, long m) {
    for (long i = BX * WX + TX; i < n * m; i += GX * WX) {
        long x = i % n + 1, y = i / n + 1;
        b[y * (n + 2) + x] = a[y * (n + 2) + x - 1] + a[(y + 1) * (n + 2) + x];
    }
}
KERNEL stride_linear(const float *a, float *b, int n) {
    for (int i = BX * WX + TX; i < n; i += GX * WX)
        b[i] = a[i - 1] + a[i + 1];
}
KERNEL stride_guarded(const float *a, float *b, int n, int m) {
    for (int i = BX * WX + TX; i < n * m; i += GX * WX) {
        int x = i % n, y = i / n;
        if (x > 0 && x < n - 1 && y > 0 && y < m - 1)
            b[i] = a[i - 1] + a[i + n];
    }
}
KERNEL march(const float *a, float *b, int nx, int ny, int nz) {
    int x = BX * WX + TX, y = BY * WY + TY;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
        for (int z = 1; z < nz - 1; z++) {
            int i = (z * ny + y) * nx + x;
            b[i] = a[i - 1] + a[i + nx] + a[i - nx * ny] + a[i + nx * ny];
        }
}
KERNEL march_queue(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int nz) {
    int x = BX * WX + TX, y = BY * WY + TY;
    if (x < 1 || x >= nx - 1 || y < 1 || y >= ny - 1)
        return;
    int i = y * nx + x, plane = nx * ny;
    float below = a[i], here = a[i + plane];
    for (int z = 1; z < nz - 1; z++) {
        i += plane;
        float above = a[i + plane];
        b[i] = below + above + here + a[i - 1];
        below = here;
        here = above;
    }
}
KERNEL part(const float *a, float *b, int nx, int ny) {
    int x = BX * WX + TX, y0 = BY * 64;
    for (int y = y0; y < y0 + 64; y++)
        if (y > 0 && y < ny)
            b[y * nx + x] = a[(y - 1) * nx + x] + a[y * nx + x + 1];
}
KERNEL early_return(const float *a, float *b, int n, int m) {
    int first = BX * WX + TX;
    if (first >= m)
        return;
    for (int i = first; i < n; i += GX * WX)
        b[i] = a[i - 1] + a[i + 1];
}
KERNEL starts_of_parts(const float *a, float *b, int nx, int ny) {
    int x = BX * WX + TX, y0 = BY * 64;
    if (y0 < ny)
        for (int y = y0; y < y0 + 64; y++)
            b[y * nx + x] = a[(y - 1) * nx + x] + a[y * nx + x + 1];
}

// CHECK: kernel: flat index, grid-stride loop, arrays may overlap; i = threadIdx.x+blockIdx.x*blockDim.x+iteration*blockDim.x*gridDim.x; x = i%n; y = i/n, y < m
// CHECK-NEXT: stencil in stride_flat: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..0 y 0..1
// CHECK-NEXT:   reads a[0]: (-1,0) (0,1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(a[0](-1,0), a[0](0,1))
// CHECK: kernel: blocks, grid-stride loop, arrays may overlap; x = threadIdx.x+blockIdx.x*blockDim.x+iteration*blockDim.x*gridDim.x, x < n
// CHECK-NEXT: stencil in stride_linear: rank 1, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1
// CHECK-NEXT:   reads a[0]: (-1) (1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(a[0](-1), a[0](1))
// CHECK: kernel: flat index, grid-stride loop, arrays may overlap; i = threadIdx.x+blockIdx.x*blockDim.x+iteration*blockDim.x*gridDim.x; x = i%n, x >= 1, x < n-1; y = i/n, y >= 1, y < m, y < m-1
// CHECK-NEXT: stencil in stride_guarded: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..0 y 0..1
// CHECK-NEXT:   reads a[0]: (-1,0) (0,1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(a[0](-1,0), a[0](0,1))
// CHECK: kernel: blocks, arrays may overlap; x = threadIdx.x+blockIdx.x*blockDim.x, x >= 1, x < nx-1; y = threadIdx.y+blockIdx.y*blockDim.y, y >= 1, y < ny-1; z = iteration of the loop, z >= 0, z < nz-2
// CHECK-NEXT: stencil in march: rank 3, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0 z 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..0 y 0..1 z -1..1
// CHECK-NEXT:   reads a[0]: (-1,0,0) (0,1,0) (0,0,-1) (0,0,1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(fadd(fadd(a[0](-1,0,0), a[0](0,1,0)), a[0](0,0,-1)), a[0](0,0,1))
// CHECK: kernel: blocks; x = threadIdx.x+blockIdx.x*blockDim.x, x >= 1, x < nx-1; y = threadIdx.y+blockIdx.y*blockDim.y, y >= 1, y < ny-1; z = iteration of the loop, z >= 0, z < nz-2
// CHECK-NEXT: stencil in march_queue: rank 3, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0 z 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..0 y 0..0 z -1..1
// CHECK-NEXT:   reads a[0]: (-1,0,0) (0,0,0) (0,0,-1) (0,0,1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(a[0](-1,0,0), fadd(a[0](0,0,0), fadd(a[0](0,0,-1), a[0](0,0,1))))
// CHECK: kernel: blocks, arrays may overlap; x = threadIdx.x+blockIdx.x*blockDim.x; y = 64*blockIdx.y+iteration, y >= 1, y < ny
// CHECK-NEXT: stencil in part: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x 0..1 y -1..0
// CHECK-NEXT:   reads a[0]: (0,-1) (1,0)
// CHECK: no stencil in early_return: KernelLoop: a loop in it does not walk over cells (it does not end where its first iteration would)
// CHECK: no stencil in starts_of_parts: KernelGuard: {{.*}}(it compares what is not one coordinate)

// The first plane is written in front of the loop. It is put back into it.
// CHECK: kernel: blocks; x = threadIdx.x+blockIdx.x*blockDim.x; y = threadIdx.y+blockIdx.y*blockDim.y; z = iteration of the loop, z >= 0, z < argument4-1
// CHECK-NEXT: stencil in first_peeled: rank 3, one sweep
// CHECK:        reads B[0]: (0,0,0)? (0,0,1)? (0,0,-1)?
// CHECK:        = select({{.*}}, fadd(B[0](0,0,0), B[0](0,0,1)), fadd(B[0](0,0,-1), B[0](0,0,1)))
KERNEL first_peeled(const float *__restrict__ a, float *__restrict__ b, int n, int m, int planes) {
    int i = (BY * WY + TY) * n + BX * WX + TX;
    b[i] = a[i] + a[i + n * m];
    for (int k = 1; k < planes - 1; k++)
        b[k * n * m + i] = a[(k - 1) * n * m + i] + a[(k + 1) * n * m + i];
}
// The same of another array.
// CHECK: stencil in other_array: rank 3, one sweep
KERNEL other_array(const float *__restrict__ a, float *__restrict__ b, float *__restrict__ c, int n, int m, int planes) {
    int i = (BY * WY + TY) * n + BX * WX + TX;
    c[i] = a[i] + a[i + n * m];
    for (int k = 1; k < planes - 1; k++)
        b[k * n * m + i] = a[(k - 1) * n * m + i] + a[(k + 1) * n * m + i];
}
// Both ends, with planes kept in registers.
// CHECK: kernel: blocks; x = threadIdx.x+blockIdx.x*blockDim.x; y = threadIdx.y+blockIdx.y*blockDim.y; z = iteration of the loop, z >= 0, z < argument4
// CHECK-NEXT: stencil in both_peeled: rank 3, one sweep
// CHECK:        reads B[0]: (0,0,0)? (0,0,1)? (0,0,-1)?
// CHECK:        = select({{.*}}, select({{.*}}
KERNEL both_peeled(const float *__restrict__ a, float *__restrict__ b, int n, int m, int planes) {
    int i = (BY * WY + TY) * n + BX * WX + TX, p = n * m;
    float below, here = a[i], above = a[i + p];
    b[i] = here + above;
    i += p;
    for (int k = 1; k < planes - 1; k++, i += p) {
        below = here, here = above, above = a[i + p];
        b[i] = below + here + above;
    }
    b[i] = here + above;
}
// What goes from plane to plane is a sum.
// CHECK: no stencil in sum_peeled: KernelLoop: a loop in it does not walk over cells (cells before its first or behind its last ones, as those of the first plane, are written outside it; let it walk over all of them)
KERNEL sum_peeled(const float *__restrict__ a, float *__restrict__ b, int n, int m, int planes) {
    int i = (BY * WY + TY) * n + BX * WX + TX;
    float s = a[i];
    b[i] = s;
    for (int k = 1; k < planes - 1; k++) {
        s += a[(k + 1) * n * m + i];
        b[k * n * m + i] = s;
    }
}
// Threads that write the first plane, or the last one, do not go through the loop.
// CHECK: no stencil in first_of_more: KernelLoop: a loop in it does not walk over cells (cells before its first
KERNEL first_of_more(const float *__restrict__ a, float *__restrict__ b, int n, int m, int planes, int limit) {
    int x = BX * WX + TX, i = (BY * WY + TY) * n + x;
    b[i] = a[i] + a[i + n * m];
    if (x < limit)
        for (int k = 1; k < planes - 1; k++)
            b[k * n * m + i] = a[(k - 1) * n * m + i] + a[(k + 1) * n * m + i];
}
// CHECK: no stencil in last_of_more: KernelLoop: a loop in it does not walk over cells (cells before its first
KERNEL last_of_more(const float *__restrict__ a, float *__restrict__ b, int n, int m, int planes, int limit) {
    int x = BX * WX + TX, i = (BY * WY + TY) * n + x;
    if (x < limit)
        for (int k = 1; k < planes - 1; k++)
            b[k * n * m + i] = a[(k - 1) * n * m + i] + a[(k + 1) * n * m + i];
    b[(planes - 1) * n * m + i] = a[i];
}
// Two planes are in front of the loop.
// CHECK: no stencil in two_peeled: KernelLoop: a loop in it does not walk over cells (cells before its first or behind its last ones, as those of the first plane, are written outside it; let it walk over all of them)
KERNEL two_peeled(const float *__restrict__ a, float *__restrict__ b, int n, int m, int planes) {
    int i = (BY * WY + TY) * n + BX * WX + TX;
    b[i] = a[i] + a[i + n * m];
    b[i + n * m] = a[i] - a[i + n * m];
    for (int k = 2; k < planes - 1; k++)
        b[k * n * m + i] = a[(k - 1) * n * m + i] + a[(k + 1) * n * m + i];
}

// LLVM would take the first and the last plane out of these loops. Until they have been seen, it does not.
// CHECK: kernel: blocks; x = threadIdx.x+blockIdx.x*blockDim.x, x < nx; y = threadIdx.y+blockIdx.y*blockDim.y, y < ny; z = iteration of the loop, z >= 0, z < nz, clamp below 0, clamp above nz-1
// CHECK-NEXT: stencil in clamped_planes: rank 3, one sweep
// CHECK:        reads a[0]: (0,0,<-1) (0,0,1>)
KERNEL clamped_planes(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int nz) {
    int x = BX * WX + TX, y = BY * WY + TY;
    if (x < nx && y < ny)
        for (int z = 0; z < nz; z++) {
            int below = z > 0 ? z - 1 : 0, above = z < nz - 1 ? z + 1 : nz - 1;
            b[(z * ny + y) * nx + x] = a[(below * ny + y) * nx + x] + a[(above * ny + y) * nx + x];
        }
}
// CHECK: stencil in border_planes: rank 3, one sweep
// CHECK:   = select(
KERNEL border_planes(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int nz) {
    int x = BX * WX + TX, y = BY * WY + TY;
    if (x < nx && y < ny)
        for (int z = 0; z < nz; z++) {
            int i = (z * ny + y) * nx + x;
            b[i] = z == 0 || z == nz - 1 ? a[i] : a[i - nx * ny] + a[i + nx * ny];
        }
}
// A radius that is half of a width which may be negative.
// CHECK: where argument 5 is 3:
// CHECK: stencil in halved: rank 2, one sweep
KERNEL halved(const float *a, float *b, int n, int m, int w) {
    int x = BX * WX + TX, y = BY * WY + TY, r = w / 2;
    if (x >= n || y >= m)
        return;
    float s = 0;
    for (int i = -r; i < r + 1; i++)
        for (int j = -r; j < r + 1; j++)
            if (y + i > -1 && y + i < m && x + j > -1 && x + j < n)
                s += a[(y + i) * n + x + j];
    b[y * n + x] = s;
}
