// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointers that may overlap or not, in structs, to global memory; rows farther apart than they are long; several arrays.
// RUN: %clang %cuda -O1 %s -o - | %opt %early1 2>&1 | FileCheck %s
// RUN: %clang %cuda -O2 %s -o - | %opt %early2 2>&1 | FileCheck %s
// RUN: %clang %cuda -O3 %s -o - | %opt %early3 2>&1 | FileCheck %s
// RUN: %clang %hip -O1 %s -o - | %opt %early1 2>&1 | FileCheck %s
// RUN: %clang %hip -O2 %s -o - | %opt %early2 2>&1 | FileCheck %s
// RUN: %clang %hip -O3 %s -o - | %opt %early3 2>&1 | FileCheck %s
#include "Inputs/gpu.h"

#define CELL int x = BX * WX + TX, y = BY * WY + TY
#define INSIDE(n, m) (x > 0 && x < n - 1 && y > 0 && y < m - 1)

KERNEL kept_apart(const float *__restrict__ a, float *__restrict__ b, int n, int m) {
    CELL;
    if (INSIDE(n, m))
        b[y * n + x] = a[y * n + x - 1] + a[(y + 1) * n + x];
}
KERNEL may_overlap(const float *a, float *b, int n, int m) {
    CELL;
    if (INSIDE(n, m))
        b[y * n + x] = a[y * n + x - 1] + a[(y + 1) * n + x];
}
KERNEL global_memory(const float __attribute__((address_space(1))) *a, float __attribute__((address_space(1))) *b,
                     int n, int m) {
    CELL;
    if (INSIDE(n, m))
        b[y * n + x] = a[y * n + x - 1] + a[(y + 1) * n + x];
}
KERNEL pitch(const float *a, float *b, int n, int m, int pitch) {
    CELL;
    if (INSIDE(n, m))
        b[y * pitch + x] = a[y * pitch + x - 1] + a[(y + 1) * pitch + x];
}
KERNEL pitch_in_bytes(const char *a, char *b, int n, int m, unsigned long pitch) {
    CELL;
    if (INSIDE(n, m))
        ((float *)(b + y * pitch))[x] =
            ((const float *)(a + y * pitch))[x - 1] + ((const float *)(a + (y + 1) * pitch))[x];
}
KERNEL two_pitches(const float *a, float *b, int n, int m, int pa, int pb) {
    CELL;
    if (INSIDE(n, m))
        b[y * pb + x] = a[y * pa + x - 1] + a[(y + 1) * pa + x];
}
KERNEL halo_of_input_only(const float *a, float *b, int n, int m) {
    CELL;
    if (x < n && y < m)
        b[y * n + x] = a[(y + 1) * (n + 2) + x] + a[(y + 1) * (n + 2) + x + 2] + a[y * (n + 2) + x + 1];
}
KERNEL coefficients(const float *a, const double *c, float *b, int n, int m, float w) {
    CELL;
    if (INSIDE(n, m))
        b[y * n + x] = w * a[y * n + x - 1] + (float)c[y * n + x] * a[(y + 1) * n + x];
}
struct field { const float *in; float *out; int n, m; };
KERNEL fields(struct field f) {
    CELL;
    if (INSIDE(f.n, f.m))
        f.out[y * f.n + x] = f.in[y * f.n + x - 1] + f.in[(y + 1) * f.n + x];
}

// CHECK: kernel: blocks; x = threadIdx.x+blockIdx.x*blockDim.x, x >= 1, x < n-1; y = threadIdx.y+blockIdx.y*blockDim.y, y >= 1, y < m-1
// CHECK-NEXT: stencil in kept_apart: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..0 y 0..1
// CHECK-NEXT:   reads a[0]: (-1,0) (0,1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(a[0](-1,0), a[0](0,1))
// CHECK: kernel: blocks, arrays may overlap; x = threadIdx.x+blockIdx.x*blockDim.x, x >= 1, x < n-1; y = threadIdx.y+blockIdx.y*blockDim.y, y >= 1, y < m-1
// CHECK-NEXT: stencil in may_overlap: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..0 y 0..1
// CHECK-NEXT:   reads a[0]: (-1,0) (0,1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(a[0](-1,0), a[0](0,1))
// CHECK: kernel: blocks, arrays may overlap; x = threadIdx.x+blockIdx.x*blockDim.x, x >= 1, x < n-1; y = threadIdx.y+blockIdx.y*blockDim.y, y >= 1, y < m-1
// CHECK-NEXT: stencil in global_memory: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..0 y 0..1
// CHECK-NEXT:   reads a[0]: (-1,0) (0,1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(a[0](-1,0), a[0](0,1))
// CHECK: kernel: blocks, arrays may overlap; x = threadIdx.x+blockIdx.x*blockDim.x, x >= 1, x < n-1; y = threadIdx.y+blockIdx.y*blockDim.y, y >= 1, y < m-1
// CHECK-NEXT: stencil in pitch: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..0 y 0..1
// CHECK-NEXT:   reads a[0]: (-1,0) (0,1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(a[0](-1,0), a[0](0,1))
// CHECK: kernel: blocks, arrays may overlap; x = threadIdx.x+blockIdx.x*blockDim.x, x >= 1, x < n-1; y = threadIdx.y+blockIdx.y*blockDim.y, y >= 1, y < m-1
// CHECK-NEXT: stencil in pitch_in_bytes: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..0 y 0..1
// CHECK-NEXT:   reads a[0]: (-1,0) (0,1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(a[0](-1,0), a[0](0,1))
// CHECK: kernel: blocks, arrays may overlap; x = threadIdx.x+blockIdx.x*blockDim.x, x >= 1, x < n-1; y = threadIdx.y+blockIdx.y*blockDim.y, y >= 1, y < m-1
// CHECK-NEXT: stencil in two_pitches: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..0 y 0..1
// CHECK-NEXT:   reads a[0]: (-1,0) (0,1)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(a[0](-1,0), a[0](0,1))
// CHECK: kernel: blocks, arrays may overlap; x = threadIdx.x+blockIdx.x*blockDim.x, x < n; y = threadIdx.y+blockIdx.y*blockDim.y, y < m
// CHECK-NEXT: stencil in halo_of_input_only: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x 0..2 y 0..1
// CHECK-NEXT:   reads a[0]: (0,1) (2,1) (1,0)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(fadd(a[0](0,1), a[0](2,1)), a[0](1,0))
// CHECK: kernel: blocks, arrays may overlap; x = threadIdx.x+blockIdx.x*blockDim.x, x >= 1, x < n-1; y = threadIdx.y+blockIdx.y*blockDim.y, y >= 1, y < m-1
// CHECK-NEXT: stencil in coefficients: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..0 y 0..1
// CHECK-NEXT:   grid c: f64, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   scalar s0: f32
// CHECK-NEXT:   reads a[0]: (-1,0) (0,1)
// CHECK-NEXT:   reads c[0]: (0,0)
// CHECK-NEXT:   writes b[0]
// CHECK-NEXT:   = fadd(fmul(s0, a[0](-1,0)), fmul(a[0](0,1), fptrunc.f32(c[0](0,0))))
// CHECK: kernel: blocks, arrays may overlap; x = threadIdx.x+blockIdx.x*blockDim.x, x >= 1, x < {{.*}}-1; y = threadIdx.y+blockIdx.y*blockDim.y, y >= 1, y < {{.*}}-1
// CHECK-NEXT: stencil in fields: rank 2, one sweep
// CHECK-NEXT:   grid {{.*}}: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid {{.*}}: f32, 1 buffer, halo x -1..0 y 0..1
// CHECK-NEXT:   reads {{.*}}[0]: (-1,0) (0,1)
// CHECK-NEXT:   writes {{.*}}[0]
// CHECK-NEXT:   = fadd({{.*}}[0](-1,0), {{.*}}[0](0,1))
// Sizes in constant memory.
__attribute__((constant)) int ends[2];
KERNEL constant_sizes(const float *a, float *b) {
    CELL;
    if (INSIDE(ends[0], ends[1]))
        b[y * ends[0] + x] = a[y * ends[0] + x - 1] + a[(y + 1) * ends[0] + x];
}
// CHECK: stencil in constant_sizes: rank 2
// Sizes in memory that all threads read first of all; and those that some of them may not read.
KERNEL sizes_in_memory(const float *a, float *b, const int *size) {
    int n = size[0], m = size[1];
    CELL;
    if (INSIDE(n, m))
        b[y * n + x] = a[y * n + x - 1] + a[(y + 1) * n + x];
}
// CHECK: kernel: blocks, arrays may overlap; x = threadIdx.x+blockIdx.x*blockDim.x, x >= 1, x < {{.*}}-1; y =
// CHECK-NEXT: stencil in sizes_in_memory: rank 2
KERNEL some_read_sizes(const float *a, float *b, const int *size) {
    CELL;
    if (INSIDE(size[0], size[1]))
        b[y * size[0] + x] = a[y * size[0] + x - 1] + a[(y + 1) * size[0] + x];
}
// CHECK: stencil in some_read_sizes: rank 2
// Nor are those that are read when something was written; a loop comes to them again.
KERNEL sizes_read_late(const float *a, float *b, const int *size) {
    CELL;
    b[x] = 0;
    if (INSIDE(size[0], size[1]))
        b[y * size[0] + x] = a[y * size[0] + x - 1] + a[(y + 1) * size[0] + x];
}
// CHECK: no stencil in sizes_read_late: KernelIndirect: where a neighbour is found is read from memory (size{{.*}}; a size must be read before anything is written), which others may write
KERNEL sizes_read_again(const float *a, float *b, const int *size, int planes) {
    CELL;
    for (int z = 0; z < planes; z++)
        if (INSIDE(size[0], size[1]))
            b[(z * 64 + y) * size[0] + x] = a[(z * 64 + y) * size[0] + x - 1] + a[(z * 64 + y + 1) * size[0] + x];
}
// CHECK: no stencil in sizes_read_again: KernelIndirect
// Nor is a number that several threads read at different places.
KERNEL sizes_of_blocks(const float *a, float *b, const int *size) {
    CELL;
    int n = size[BX];
    if (INSIDE(n, n))
        b[y * n + x] = a[y * n + x - 1] + a[(y + 1) * n + x];
}
// CHECK: no stencil in sizes_of_blocks: KernelIndirect
KERNEL size_is_written(const int *a, int *b) {
    int n = b[0];
    CELL;
    if (INSIDE(n, n))
        b[y * n + x] = a[y * n + x - 1] + a[(y + 1) * n + x];
}
// CHECK: no stencil in size_is_written: KernelInPlace
