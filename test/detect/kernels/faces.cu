// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indices brought back into the grid at its borders: clamped, mirrored, periodic, in the forms that sources and compilers write them.
// RUN: %clang %cuda -O1 %s -o - | %opt %early1 2>&1 | FileCheck %s
// RUN: %clang %cuda -O2 %s -o - | %opt %early2 2>&1 | FileCheck %s
// RUN: %clang %cuda -O3 %s -o - | %opt %early3 2>&1 | FileCheck %s
// RUN: %clang %hip -O1 %s -o - | %opt %early1 2>&1 | FileCheck %s
// RUN: %clang %hip -O2 %s -o - | %opt %early2 2>&1 | FileCheck %s
// RUN: %clang %hip -O3 %s -o - | %opt %early3 2>&1 | FileCheck %s
#include "Inputs/gpu.h"

#define CELL int x = BX * WX + TX, y = BY * WY + TY
#define INSIDE if (x >= n || y >= m) return

static __device__ int min_of(int a, int b) { return a < b ? a : b; }
static __device__ int max_of(int a, int b) { return a > b ? a : b; }

KERNEL clamp_min_max(const float *a, float *b, int n, int m) {
    CELL;
    INSIDE;
    int w = min_of(max_of(x - 1, 0), n - 1), e = min_of(max_of(x + 1, 0), n - 1);
    int s = min_of(max_of(y - 1, 0), m - 1), t = min_of(max_of(y + 1, 0), m - 1);
    b[y * n + x] = a[y * n + w] + a[y * n + e] + a[s * n + x] + a[t * n + x];
}
KERNEL clamp_needed(const float *a, float *b, int n, int m) {
    CELL;
    INSIDE;
    int w = x - 1 < 0 ? 0 : x - 1, e = x + 1 >= n ? n - 1 : x + 1;
    int s = y > 0 ? y - 1 : 0, t = y < m - 1 ? y + 1 : m - 1;
    b[y * n + x] = a[y * n + w] + a[y * n + e] + a[s * n + x] + a[t * n + x];
}
KERNEL clamp_own(const float *a, float *b, int n, int m) {
    CELL;
    INSIDE;
    int i = y * n + x;
    int w = x > 0 ? i - 1 : i, e = x < n - 1 ? i + 1 : i;
    int s = y > 0 ? i - n : i, t = y < m - 1 ? i + n : i;
    b[i] = a[w] + a[e] + a[s] + a[t];
}
KERNEL clamp_two(const float *a, float *b, int n, int m) {
    CELL;
    INSIDE;
    int w = max_of(x - 2, 0), e = min_of(x + 2, n - 1);
    b[y * n + x] = a[y * n + w] + a[y * n + e];
}
KERNEL wrap_select(const float *a, float *b, int n, int m) {
    CELL;
    INSIDE;
    int w = x == 0 ? n - 1 : x - 1, e = x == n - 1 ? 0 : x + 1;
    int s = y == 0 ? m - 1 : y - 1, t = y == m - 1 ? 0 : y + 1;
    b[y * n + x] = a[y * n + w] + a[y * n + e] + a[s * n + x] + a[t * n + x];
}
KERNEL wrap_if(const float *a, float *b, int n, int m) {
    CELL;
    INSIDE;
    int w = x - 1, e = x + 1;
    if (w < 0) w += n;
    if (e >= n) e -= n;
    b[y * n + x] = a[y * n + w] + a[y * n + e];
}
KERNEL wrap_modulo(const float *a, float *b, int n, int m) {
    CELL;
    INSIDE;
    int w = (x - 1 + n) % n, e = (x + 1) % n;
    int s = (y + m - 1) % m, t = (y + 1) % m;
    b[y * n + x] = a[y * n + w] + a[y * n + e] + a[s * n + x] + a[t * n + x];
}
// A sum over all neighbours: of the thread's own row and column, too, remainders are taken. They are no rows of a flat index.
KERNEL wrap_all(const float *a, float *b, int n, int m) {
    CELL; INSIDE;
    b[y * n + x] = a[(y - 1 + m) % m * n + (x + n) % n] + a[(y + m) % m * n + (x - 1 + n) % n] + a[(y + m) % m * n + (x + 1 + n) % n] +
                   a[(y + 1 + m) % m * n + (x + n) % n];
}
KERNEL wrap_one(const float *a, float *b, int n) {
    int i = BX * WX + TX;
    if (i < n)
        b[i] = a[(i + 1) % n] + a[i % n] + a[(i - 1 + n) % n];
}
KERNEL wrap_flat_all(const float *a, float *b, int n, int m) {
    int i = BX * WX + TX;
    if (i >= n * m)
        return;
    int x = i % n, y = i / n;
    b[i] = a[(y - 1 + m) % m * n + (x + n) % n] + a[(y + m) % m * n + (x + 1 + n) % n];
}
KERNEL wrap_flat(const float *a, float *b, int n, int m) {
    int i = BX * WX + TX;
    if (i >= n * m)
        return;
    int x = i % n, y = i / n;
    int w = (x - 1 + n) % n, e = (x + 1) % n;
    int s = (y + m - 1) % m, t = (y + 1) % m;
    b[i] = a[y * n + w] + a[y * n + e] + a[s * n + x] + a[t * n + x];
}
KERNEL wrap_constant(const float *a, float *b) {
    CELL;
    if (x >= 64 || y >= 64)
        return;
    b[y * 64 + x] = a[y * 64 + ((x - 1) & 63)] + a[y * 64 + ((x + 1) & 63)] + a[((y + 63) % 64) * 64 + x] + a[((y + 1) % 64) * 64 + x];
}
KERNEL mirror(const float *a, float *b, int n, int m) {
    CELL;
    INSIDE;
    int w = x - 1, e = x + 1;
    if (w < 0) w = -w;
    if (e >= n) e = 2 * (n - 1) - e;
    int s = y == 0 ? 1 : y - 1, t = y == m - 1 ? m - 2 : y + 1;
    b[y * n + x] = a[y * n + w] + a[y * n + e] + a[s * n + x] + a[t * n + x];
}
KERNEL mirror_abs(const float *a, float *b, int n, int m) {
    CELL;
    INSIDE;
    int w = __builtin_abs(x - 2), e = n - 1 - __builtin_abs(n - 1 - (x + 2));
    b[y * n + x] = a[y * n + w] + a[y * n + e];
}
KERNEL symmetric(const float *a, float *b, int n, int m) {
    CELL;
    INSIDE;
    int w = x - 2, e = x + 2;
    if (w < 0) w = -w - 1;
    if (e >= n) e = 2 * n - 1 - e;
    b[y * n + x] = a[y * n + w] + a[y * n + e];
}
KERNEL wider_period(const float *a, float *b, int n, int m, int p) {
    CELL; INSIDE;
    int w = x == 0 ? p - 1 : x - 1;
    b[y * n + x] = a[y * n + w] + a[y * n + x];
}
KERNEL flat_clamp(const float *a, float *b, int n, int m) {
    int i = BX * WX + TX;
    if (i >= n * m)
        return;
    int x = i % n, y = i / n;
    b[i] = a[x > 0 ? i - 1 : i] + a[x < n - 1 ? i + 1 : i] + a[y > 0 ? i - n : i] + a[y < m - 1 ? i + n : i];
}
KERNEL flat_3d(const float *a, float *b, int nx, int ny, int nz) {
    int i = BX * WX + TX;
    if (i >= nx * ny * nz)
        return;
    int x = i % nx, y = i / nx % ny, z = i / (nx * ny);
    int w = (x + nx - 1) % nx, s = (y + ny - 1) % ny, t = (z + nz - 1) % nz;
    b[i] = a[(z * ny + y) * nx + w] + a[(z * ny + s) * nx + x] + a[(t * ny + y) * nx + x];
}
KERNEL line_periodic(const float *a, float *b, int n) {
    int i = BX * WX + TX;
    if (i < n)
        b[i] = a[(i + 1) % n] + a[(i - 1 + n) % n];
}
KERNEL column(const float *a, float *b, long n, long m) {
    long x = (long)BX * WX + TX, y = (long)BY * WY + TY; INSIDE;
    long w = x - 1 < 0 ? 0 : x - 1 > n - 1 ? n - 1 : x - 1;
    b[y * (n + 2) + x] = a[y * (n + 2) + w] + a[((y + 1) % m) * (n + 2) + x];
}
KERNEL value_zero(const float *a, float *b, int n, int m) {
    CELL; INSIDE;
    float w = x > 0 ? a[y * n + x - 1] : 0.0f, e = x < n - 1 ? a[y * n + x + 1] : a[y * n + x];
    b[y * n + x] = w + e;
}

// CHECK: kernel: blocks{{(, arrays may overlap)?}}; x = threadIdx.x+blockIdx.x*blockDim.x, x < n, clamp below 0, clamp above n-1; y = threadIdx.y+blockIdx.y*blockDim.y, y < m, clamp below 0, clamp above m-1
// CHECK-NEXT: stencil in clamp_min_max: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1 y -1..1
// CHECK-NEXT:   boundary x clamp..clamp y clamp..clamp
// CHECK-NEXT: reads a[0]: (<-1{{>?}},0) ({{<?}}1>,0) (0,<-1{{>?}}) (0,{{<?}}1>)
// CHECK: kernel: blocks{{(, arrays may overlap)?}}; x = threadIdx.x+blockIdx.x*blockDim.x, x < n, clamp below 0, clamp above n-1; y = threadIdx.y+blockIdx.y*blockDim.y, y < m, clamp below 0, clamp above m-1
// CHECK-NEXT: stencil in clamp_needed: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1 y -1..1
// CHECK-NEXT:   boundary x clamp..clamp y clamp..clamp
// CHECK-NEXT:   reads a[0]: (<-1,0) (1>,0) (0,<-1) (0,1>)
// CHECK: kernel: blocks{{(, arrays may overlap)?}}; x = threadIdx.x+blockIdx.x*blockDim.x, x < n, clamp below 0, clamp above n-1; y = threadIdx.y+blockIdx.y*blockDim.y, y < m, clamp below 0, clamp above m-1
// CHECK-NEXT: stencil in clamp_own: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1 y -1..1
// CHECK-NEXT:   boundary x clamp..clamp y clamp..clamp
// CHECK-NEXT:   reads a[0]: (<-1,0) (1>,0) (0,<-1) (0,1>)
// CHECK: kernel: blocks{{(, arrays may overlap)?}}; x = threadIdx.x+blockIdx.x*blockDim.x, x < n, clamp below 0, clamp above n-1; y = threadIdx.y+blockIdx.y*blockDim.y, y < m
// CHECK-NEXT: stencil in clamp_two: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -2..2 y 0..0
// CHECK-NEXT:   boundary x clamp..clamp y none..none
// CHECK-NEXT:   reads a[0]: (<-2,0) (2>,0)
// CHECK: kernel: blocks{{(, arrays may overlap)?}}; x = threadIdx.x+blockIdx.x*blockDim.x, x < n, wrap below 0 by n, wrap above n-1 by n; y = threadIdx.y+blockIdx.y*blockDim.y, y < m, wrap below 0 by m, wrap above m-1 by m
// CHECK-NEXT: stencil in wrap_select: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1 y -1..1
// CHECK-NEXT:   boundary x wrap..wrap y wrap..wrap
// CHECK-NEXT:   reads a[0]: (<-1,0) (1>,0) (0,<-1) (0,1>)
// CHECK: kernel: blocks{{(, arrays may overlap)?}}; x = threadIdx.x+blockIdx.x*blockDim.x, x < n, wrap below 0 by n, wrap above n-1 by n; y = threadIdx.y+blockIdx.y*blockDim.y, y < m
// CHECK-NEXT: stencil in wrap_if: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1 y 0..0
// CHECK-NEXT:   boundary x wrap..wrap y none..none
// CHECK-NEXT:   reads a[0]: (<-1,0) (1>,0)
// CHECK: kernel: blocks{{(, arrays may overlap)?}}; x = threadIdx.x+blockIdx.x*blockDim.x, x < n, wrap below 0 by n, wrap above n-1 by n; y = threadIdx.y+blockIdx.y*blockDim.y, y < m, wrap below 0 by m, wrap above m-1 by m
// CHECK-NEXT: stencil in wrap_modulo: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1 y -1..1
// CHECK-NEXT:   boundary x wrap..wrap y wrap..wrap
// CHECK-NEXT:   reads a[0]: (<-1>,0) (<1>,0) (0,<-1>) (0,<1>)
// CHECK: kernel: blocks{{(, arrays may overlap)?}}; x = threadIdx.x+blockIdx.x*blockDim.x, x < n, wrap below 0 by n, wrap above n-1 by n; y = threadIdx.y+blockIdx.y*blockDim.y, y < m, wrap below 0 by m, wrap above m-1 by m
// CHECK-NEXT: stencil in wrap_all: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1 y -1..1
// CHECK-NEXT:   boundary x wrap..wrap y wrap..wrap
// CHECK-NEXT:   reads a[0]: (0,<-1>) (<-1>,0) (<1>,0) (0,<1>)
// CHECK: kernel: blocks{{(, arrays may overlap)?}}; x = threadIdx.x+blockIdx.x*blockDim.x, x < n, wrap below 0 by n, wrap above n-1 by n
// CHECK-NEXT: stencil in wrap_one: rank 1, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1
// CHECK-NEXT:   boundary x wrap..wrap
// CHECK-NEXT:   reads a[0]: (<1>) (0) (<-1>)
// CHECK: kernel: flat index{{(, arrays may overlap)?}}; i = threadIdx.x+blockIdx.x*blockDim.x; x = i%n, wrap below 0 by n, wrap above n-1 by n; y = i/n, y < m, wrap below 0 by m, wrap above m-1 by m
// CHECK-NEXT: stencil in wrap_flat_all: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x 0..1 y -1..0
// CHECK-NEXT:   boundary x wrap..wrap y wrap..wrap
// CHECK-NEXT:   reads a[0]: (0,<-1>) (<1>,0)
// CHECK: kernel: flat index{{(, arrays may overlap)?}}; i = threadIdx.x+blockIdx.x*blockDim.x; x = i%n, wrap below 0 by n, wrap above n-1 by n; y = i/n, y < m, wrap below 0 by m, wrap above m-1 by m
// CHECK-NEXT: stencil in wrap_flat: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1 y -1..1
// CHECK-NEXT:   boundary x wrap..wrap y wrap..wrap
// CHECK-NEXT:   reads a[0]: (<-1>,0) (<1>,0) (0,<-1>) (0,<1>)
// CHECK: kernel: blocks{{(, arrays may overlap)?}}; x = threadIdx.x+blockIdx.x*blockDim.x, x < 64, wrap below 0 by 64, wrap above 63 by 64; y = threadIdx.y+blockIdx.y*blockDim.y, y < 64, wrap below 0 by 64, wrap above 63 by 64
// CHECK-NEXT: stencil in wrap_constant: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1 y -1..1
// CHECK-NEXT:   boundary x wrap..wrap y wrap..wrap
// CHECK-NEXT:   reads a[0]: (<-1>,0) (<1>,0) (0,<-1>) (0,<1>)
// CHECK: kernel: blocks{{(, arrays may overlap)?}}; x = threadIdx.x+blockIdx.x*blockDim.x, x < n, mirror below 0, mirror above n-1; y = threadIdx.y+blockIdx.y*blockDim.y, y < m, mirror below 0, mirror above m-1
// CHECK-NEXT: stencil in mirror: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1 y -1..1
// CHECK-NEXT:   boundary x mirror..mirror y mirror..mirror
// CHECK-NEXT:   reads a[0]: (<-1,0) (1>,0) (0,<-1) (0,1>)
// CHECK: kernel: blocks{{(, arrays may overlap)?}}; x = threadIdx.x+blockIdx.x*blockDim.x, x < n, mirror below 0, mirror above n-1; y = threadIdx.y+blockIdx.y*blockDim.y, y < m
// CHECK-NEXT: stencil in mirror_abs: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -2..2 y 0..0
// CHECK-NEXT:   boundary x mirror..mirror y none..none
// CHECK-NEXT:   reads a[0]: (<-2,0) (2>,0)
// CHECK: kernel: blocks{{(, arrays may overlap)?}}; x = threadIdx.x+blockIdx.x*blockDim.x, x < n, symmetric below 0, symmetric above n-1; y = threadIdx.y+blockIdx.y*blockDim.y, y < m
// CHECK-NEXT: stencil in symmetric: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -2..2 y 0..0
// CHECK-NEXT:   boundary x symmetric..symmetric y none..none
// CHECK-NEXT:   reads a[0]: (<-2,0) (2>,0)
// CHECK: kernel: blocks{{(, arrays may overlap)?}}; x = threadIdx.x+blockIdx.x*blockDim.x, x < n, wrap below 0 by p; y = threadIdx.y+blockIdx.y*blockDim.y, y < m
// CHECK-NEXT: stencil in wider_period: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..0 y 0..0
// CHECK-NEXT:   boundary x wrap..none y none..none
// CHECK-NEXT:   reads a[0]: (<-1,0) (0,0)
// CHECK: kernel: flat index{{(, arrays may overlap)?}}; i = threadIdx.x+blockIdx.x*blockDim.x; x = i%n, clamp below 0, clamp above n-1; y = i/n, y < m, clamp below 0, clamp above m-1
// CHECK-NEXT: stencil in flat_clamp: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1 y -1..1
// CHECK-NEXT:   boundary x clamp..clamp y clamp..clamp
// CHECK-NEXT:   reads a[0]: (<-1,0) (1>,0) (0,<-1) (0,1>)
// CHECK: kernel: flat index{{(, arrays may overlap)?}}; i = threadIdx.x+blockIdx.x*blockDim.x; x = i%nx, wrap below 0 by nx, wrap above nx-1 by nx; y = i/nx%ny, wrap below 0 by ny, wrap above ny-1 by ny; z = i/(nx*ny), z < nz, wrap below 0 by nz, wrap above nz-1 by nz
// CHECK-NEXT: stencil in flat_3d: rank 3, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0 z 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..0 y -1..0 z -1..0
// CHECK-NEXT:   boundary x wrap..wrap y wrap..wrap z wrap..wrap
// CHECK-NEXT:   reads a[0]: (<-1>,0,0) (0,<-1>,0) (0,0,<-1>)
// CHECK: kernel: blocks{{(, arrays may overlap)?}}; x = threadIdx.x+blockIdx.x*blockDim.x, x < n, wrap below 0 by n, wrap above n-1 by n
// CHECK-NEXT: stencil in line_periodic: rank 1, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1
// CHECK-NEXT:   boundary x wrap..wrap
// CHECK-NEXT:   reads a[0]: (<1>) (<-1>)
// CHECK: kernel: blocks{{(, arrays may overlap)?}}; x = threadIdx.x+blockIdx.x*blockDim.x, x < n, clamp below 0; y = threadIdx.y+blockIdx.y*blockDim.y, y < m, wrap below 0 by m, wrap above m-1 by m
// CHECK-NEXT: stencil in column: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..0 y 0..1
// CHECK-NEXT:   boundary x clamp..none y wrap..wrap
// CHECK-NEXT:   reads a[0]: (<-1,0) (0,<1>)
// CHECK: kernel: blocks{{(, arrays may overlap)?}}; x = threadIdx.x+blockIdx.x*blockDim.x, x < n, clamp above n-1; y = threadIdx.y+blockIdx.y*blockDim.y, y < m
// CHECK-NEXT: stencil in value_zero: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1 y 0..0
// CHECK-NEXT:   boundary x none..clamp y none..none
// CHECK-NEXT:   reads a[0]: (-1,0)? (1>,0)
// Sizes that are powers of two: a mask is a remainder.
// CHECK: stencil in masked: rank 2, one sweep
// CHECK: boundary x wrap..wrap y wrap..wrap
KERNEL masked(const float *a, float *b, int n) {
    int x = BX * WX + TX, y = BY * WY + TY;
    if (x >= n || y >= n)
        return;
    int m = n - 1;
    b[y * n + x] = a[y * n + ((x - 1) & m)] + a[y * n + ((x + 1) & m)] + a[((y - 1) & m) * n + x] + a[((y + 1) & m) * n + x];
}
