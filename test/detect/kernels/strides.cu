// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two loops, each of which takes a thread to further cells along its axis.
// RUN: %clang %cuda -O1 %s -o - | %opt %early1 2>&1 | FileCheck %s
// RUN: %clang %cuda -O2 %s -o - | %opt %early2 2>&1 | FileCheck %s
// RUN: %clang %cuda -O3 %s -o - | %opt %early3 2>&1 | FileCheck %s
// RUN: %clang %hip -O1 %s -o - | %opt %early1 2>&1 | FileCheck %s
// RUN: %clang %hip -O2 %s -o - | %opt %early2 2>&1 | FileCheck %s
// RUN: %clang %hip -O3 %s -o - | %opt %early3 2>&1 | FileCheck %s
#include "Inputs/gpu.h"

KERNEL both(const float *a, float *b, int n, int m) {
    for (int y = BY * WY + TY; y < m; y += GY * WY)
        for (int x = BX * WX + TX; x < n; x += GX * WX)
            b[y * n + x] = a[y * n + x - 1] + a[(y + 1) * n + x];
}
KERNEL guarded(const float *a, float *b, int n, int m) {
    for (int y = BY * WY + TY; y < m; y += GY * WY)
        for (int x = BX * WX + TX; x < n; x += GX * WX)
            if (x > 0 && x < n - 1 && y > 0 && y < m - 1)
                b[y * n + x] = a[y * n + x - 1] + a[y * n + x + 1] + a[(y - 1) * n + x] + a[(y + 1) * n + x];
}
KERNEL from_one(const float *a, float *b, int n, int m) {
    for (int y = BY * WY + TY + 1; y < m - 1; y += GY * WY)
        for (int x = BX * WX + TX + 1; x < n - 1; x += GX * WX)
            b[y * n + x] = a[y * n + x - 1] + a[(y + 1) * n + x];
}
KERNEL rows_only(const float *a, float *b, int n, int m) {
    int x = BX * WX + TX;
    if (x >= n)
        return;
    for (int y = BY * WY + TY; y < m; y += GY * WY)
        b[y * n + x] = a[y * n + x - 1] + a[(y + 1) * n + x];
}
KERNEL other_ends(const float *a, float *b, int n, int m, int p) {
    int first = BY * WY + TY;
    if (first >= p)
        return;
    for (int y = first; y < m; y += GY * WY)
        for (int x = BX * WX + TX; x < n; x += GX * WX)
            b[y * n + x] = a[y * n + x - 1] + a[(y + 1) * n + x];
}

// CHECK: kernel: blocks, grid-stride loops{{(, arrays may overlap)?}}; x = threadIdx.x+blockIdx.x*blockDim.x+iteration*blockDim.x*gridDim.x, x < n; y = threadIdx.y+blockIdx.y*blockDim.y+iteration*blockDim.y*gridDim.y, y < m
// CHECK-NEXT: stencil in both: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..0 y 0..1
// CHECK-NEXT:   reads a[0]: (-1,0) (0,1)
// CHECK: kernel: blocks, grid-stride loops{{(, arrays may overlap)?}}; x = threadIdx.x+blockIdx.x*blockDim.x+iteration*blockDim.x*gridDim.x, x >= 1, x < n, x < n-1; y = threadIdx.y+blockIdx.y*blockDim.y+iteration*blockDim.y*gridDim.y, y >= 1, y < m, y < m-1
// CHECK-NEXT: stencil in guarded: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1 y -1..1
// CHECK-NEXT:   reads a[0]: (-1,0) (1,0) (0,-1) (0,1)
// CHECK: kernel: blocks, grid-stride loops{{(, arrays may overlap)?}}; x = threadIdx.x+blockIdx.x*blockDim.x+iteration*blockDim.x*gridDim.x, x < n-2; y = threadIdx.y+blockIdx.y*blockDim.y+iteration*blockDim.y*gridDim.y, y < m-2
// CHECK-NEXT: stencil in from_one: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..0 y 0..1
// CHECK-NEXT:   reads a[0]: (-1,0) (0,1)
// CHECK: kernel: blocks, grid-stride loop{{(, arrays may overlap)?}}; x = threadIdx.x+blockIdx.x*blockDim.x, x < n; y = threadIdx.y+blockIdx.y*blockDim.y+iteration*blockDim.y*gridDim.y, y < m
// CHECK-NEXT: stencil in rows_only: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..0 y 0..1
// CHECK-NEXT:   reads a[0]: (-1,0) (0,1)
// CHECK: no stencil in other_ends: KernelLoop: a loop in it does not walk over cells (it does not end where its first iteration would)
