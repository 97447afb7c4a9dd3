// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that compute several cells each, by a loop or, unrolled, by a store each.
// RUN: %clang %cuda -O1 %s -o - | %opt %early1 2>&1 | FileCheck %s
// RUN: %clang %cuda -O2 %s -o - | %opt %early2 2>&1 | FileCheck %s
// RUN: %clang %cuda -O3 %s -o - | %opt %early3 2>&1 | FileCheck %s
// RUN: %clang %hip -O1 %s -o - | %opt %early1 2>&1 | FileCheck %s
// RUN: %clang %hip -O2 %s -o - | %opt %early2 2>&1 | FileCheck %s
// RUN: %clang %hip -O3 %s -o - | %opt %early3 2>&1 | FileCheck %s
#include "Inputs/gpu.h"

KERNEL four_rows(const float *__restrict__ a, float *__restrict__ b, int n, int m) {
    int x = BX * WX + TX, y0 = 4 * (BY * WY + TY);
    if (x < 1 || x >= n - 1)
        return;
    for (int j = 0; j < 4; j++) {
        int y = y0 + j;
        if (y > 0 && y < m - 1)
            b[y * n + x] = a[y * n + x - 1] + a[y * n + x + 1] + a[(y - 1) * n + x] + a[(y + 1) * n + x];
    }
}
KERNEL many_rows(const float *a, float *b, int n, int m) {
    int x = BX * WX + TX, y0 = 64 * (BY * WY + TY);
    for (int j = 0; j < 64; j++) {
        int y = y0 + j;
        if (y > 0 && y < m)
            b[y * n + x] = a[(y - 1) * n + x] + a[y * n + x + 1];
    }
}
KERNEL two_columns(const float *__restrict__ a, float *__restrict__ b, int n, int m) {
    int x = 2 * (BX * WX + TX), y = BY * WY + TY;
    for (int j = 0; j < 2; j++)
        if (x + j > 0 && x + j < n - 1 && y < m)
            b[y * n + x + j] = a[y * n + x + j - 1] + a[y * n + x + j + 1];
}
KERNEL two_blocks(const float *__restrict__ a, float *__restrict__ b, int n, int m) {
    int x0 = BX * (2 * WX) + TX, y = BY * WY + TY;
    for (int j = 0; j < 2; j++) {
        int x = x0 + j * WX;
        if (x > 0 && x < n - 1 && y < m)
            b[y * n + x] = a[y * n + x - 1] + a[y * n + x + 1];
    }
}
KERNEL rows_apart(const float *__restrict__ a, float *__restrict__ b, int n, int m) {
    int x = BX * 32 + TX, y0 = BY * 32 + TY;
    for (int j = 0; j < 32; j += 8) {
        int y = y0 + j;
        if (x > 0 && y > 0 && x < n - 1 && y < m - 1)
            b[y * n + x] = a[(y - 1) * n + x] + a[(y + 1) * n + x];
    }
}
KERNEL written_out(const float *__restrict__ a, float *__restrict__ b, int n) {
    int x = BX * WX + TX, y = 2 * (BY * WY + TY);
    b[y * n + x] = a[y * n + x - 1] + a[(y - 1) * n + x];
    b[(y + 1) * n + x] = a[(y + 1) * n + x - 1] + a[y * n + x];
}
KERNEL two_statements(const float *__restrict__ a, float *__restrict__ b, int n) {
    int x = BX * WX + TX, y = 2 * (BY * WY + TY);
    b[y * n + x] = a[y * n + x - 1] + a[(y - 1) * n + x];
    b[(y + 1) * n + x] = a[(y + 1) * n + x - 1] - a[y * n + x];
}
KERNEL overlapping_rows(const float *__restrict__ a, float *__restrict__ b, int n) {
    int x = BX * WX + TX, y = BY * WY + TY;
    b[y * n + x] = a[y * n + x - 1] + a[(y - 1) * n + x];
    b[(y + 1) * n + x] = a[(y + 1) * n + x - 1] + a[y * n + x];
}
KERNEL gaps(const float *__restrict__ a, float *__restrict__ b, int n) {
    int x = BX * WX + TX, y = 3 * (BY * WY + TY);
    b[y * n + x] = a[y * n + x - 1] + a[(y - 1) * n + x];
    b[(y + 1) * n + x] = a[(y + 1) * n + x - 1] + a[y * n + x];
}
KERNEL other_guards(const float *__restrict__ a, float *__restrict__ b, int n, int m) {
    int x = BX * WX + TX, y = 2 * (BY * WY + TY);
    if (y < m)
        b[y * n + x] = a[y * n + x - 1] + a[(y - 1) * n + x];
    if (y < m - 1 && x > 3)
        b[(y + 1) * n + x] = a[(y + 1) * n + x - 1] + a[y * n + x];
}
KERNEL first_guarded(const float *__restrict__ a, float *__restrict__ b, int n, int m) {
    int x = BX * WX + TX, y = 2 * (BY * WY + TY);
    if (y < m) {
        b[y * n + x] = a[y * n + x - 1] + a[(y - 1) * n + x];
        b[(y + 1) * n + x] = a[(y + 1) * n + x - 1] + a[y * n + x];
    }
}
KERNEL blocks_apart(const float *__restrict__ a, float *__restrict__ b, int n, int m) {
    int x0 = BX * (3 * WX) + TX, y = BY * WY + TY;
    for (int j = 0; j < 2; j++) {
        int x = x0 + j * WX;
        if (x > 0 && x < n - 1 && y < m)
            b[y * n + x] = a[y * n + x - 1] + a[y * n + x + 1];
    }
}
KERNEL parts_overlap(const float *__restrict__ a, float *__restrict__ b, int n, int m) {
    int x = BX * WX + TX, y0 = 40 * (BY * WY + TY);
    for (int j = 0; j < 48; j++) {
        int y = y0 + j;
        if (x < n && y > 0 && y < m)
            b[y * n + x] = a[(y - 1) * n + x] + a[y * n + x];
    }
}
KERNEL downwards(const float *__restrict__ a, float *__restrict__ b, int n, int m) {
    int x = BX * WX + TX, y0 = 4 * (BY * WY + TY);
    for (int j = 3; j >= 0; j--) {
        int y = y0 + j;
        if (x < n && y < m)
            b[y * n + x] = a[(y > 0 ? y - 1 : 0) * n + x] + a[y * n + x];
    }
}

// CHECK: kernel: blocks, 4 cells a thread{{(, arrays may overlap)?}}; x = threadIdx.x+blockIdx.x*blockDim.x, x >= 1, x < n-1; y = 4*threadIdx.y+4*blockIdx.y*blockDim.y{{(\+iteration)?}}, y >= 1, y < m-1
// CHECK-NEXT: stencil in four_rows: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1 y -1..1
// CHECK-NEXT:   reads a[0]: (-1,0) (1,0) (0,-1) (0,1)
// CHECK: kernel: blocks, 64 cells a thread{{(, arrays may overlap)?}}; x = threadIdx.x+blockIdx.x*blockDim.x; y = 64*threadIdx.y+64*blockIdx.y*blockDim.y+iteration, y >= 1, y < m
// CHECK-NEXT: stencil in many_rows: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x 0..1 y -1..0
// CHECK-NEXT:   reads a[0]: (0,-1) (1,0)
// CHECK: kernel: blocks, 2 cells a thread{{(, arrays may overlap)?}}; x = 2*threadIdx.x+2*blockIdx.x*blockDim.x{{(\+iteration)?}}, x >= 1, x < n-1; y = threadIdx.y+blockIdx.y*blockDim.y, y < m
// CHECK-NEXT: stencil in two_columns: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1 y 0..0
// CHECK-NEXT:   reads a[0]: (-1,0) (1,0)
// CHECK: kernel: blocks, 2 cells a thread every blockDim.x{{(, arrays may overlap)?}}; x = threadIdx.x+2*blockIdx.x*blockDim.x{{(\+iteration\*blockDim.x)?}}, x >= 1, x < n-1; y = threadIdx.y+blockIdx.y*blockDim.y, y < m
// CHECK-NEXT: stencil in two_blocks: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1 y 0..0
// CHECK-NEXT:   reads a[0]: (-1,0) (1,0)
// CHECK: kernel: blocks, 4 cells a thread every 8{{(, arrays may overlap)?}}; x = threadIdx.x+32*blockIdx.x, x >= 1, x < n-1; y = threadIdx.y+32*blockIdx.y{{(\+8\*iteration)?}}, y >= 1, y < m-1
// CHECK-NEXT: stencil in rows_apart: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x 0..0 y -1..1
// CHECK-NEXT:   reads a[0]: (0,-1) (0,1)
// CHECK: kernel: blocks, 2 cells a thread{{(, arrays may overlap)?}}; x = threadIdx.x+blockIdx.x*blockDim.x; y = 2*threadIdx.y+2*blockIdx.y*blockDim.y
// CHECK-NEXT: stencil in written_out: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..0 y -1..0
// CHECK-NEXT:   reads a[0]: (-1,0) (0,-1)
// CHECK: stencil in two_statements: rank 2, one sweep
// CHECK: no stencil in overlapping_rows: KernelStores: it writes several elements of an array a thread, by different statements
// CHECK: stencil in gaps: rank 2, one sweep
// CHECK: stencil in other_guards: rank 2, one sweep
// CHECK: stencil in first_guarded: rank 2, one sweep
// CHECK: stencil in blocks_apart: 
// CHECK: no stencil in parts_overlap: KernelLoop: a loop in it does not walk over cells (blocks or threads walk over parts that overlap or do not meet)
// CHECK: no stencil in downwards: 
