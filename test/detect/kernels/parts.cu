// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cells of several components side by side, which one thread computes by one statement; and components in planes, which
// may have a statement each.
// RUN: %clang %cuda -O2 %s -o - | %opt %early2 2>&1 | FileCheck %s
// RUN: %clang %cuda -O3 %s -o - | %opt %early3 2>&1 | FileCheck %s
// RUN: %clang %hip -O2 %s -o - | %opt %early2 2>&1 | FileCheck %s
// RUN: %clang %hip -O3 %s -o - | %opt %early3 2>&1 | FileCheck %s
#include "Inputs/gpu.h"

#define CELL int x = BX * WX + TX, y = BY * WY + TY, i = y * n + x
#define INSIDE if (x < 1 || y < 1 || x >= n - 1 || y >= m - 1) return

// The guard is one of the thread: of all its components.
// CHECK: kernel: blocks, 2 cells a thread{{.*}}; x = 2*threadIdx.x+2*blockIdx.x*blockDim.x, x >= 2, x < 2*n-2; y = {{.*}}
// CHECK-NEXT: stencil in pairs: rank 2, one sweep
// CHECK: reads a[0]: (-2,0) (2,0)
KERNEL pairs(const float *__restrict__ a, float *__restrict__ b, int n, int m) {
    CELL; INSIDE;
    b[2 * i] = a[2 * i - 2] + a[2 * i + 2];
    b[2 * i + 1] = a[2 * i - 1] + a[2 * i + 3];
}
// CHECK: stencil in pixels: rank 2, one sweep
// CHECK: reads a[0]: (0,{{-?}}1) (0,{{-?}}1)
KERNEL pixels(const unsigned char *__restrict__ a, unsigned char *__restrict__ b, int n, int m) {
    CELL; INSIDE;
#pragma unroll
    for (int k = 0; k < 3; k++)
        b[3 * i + k] = a[3 * (i - n) + k] + a[3 * (i + n) + k];
}
// A statement each: a component is an array whose cells are two elements apart.
// CHECK: kernel: blocks; x = {{.*}}
// CHECK-NEXT: stencil in complex: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0, cells 2 elements apart
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0, cells 2 elements apart
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1 y 0..0, cells 2 elements apart
// CHECK-NEXT:   grid a: f32, 1 buffer, halo x -1..1 y 0..0, cells 2 elements apart
// CHECK:        = fadd(a[0](-1,0), a[0](1,0))
// CHECK:        = fsub(a[0](-1,0), a[0](1,0))
KERNEL complex(const float *__restrict__ a, float *__restrict__ b, int n, int m) {
    CELL; INSIDE;
    b[2 * i] = a[2 * i - 2] + a[2 * i + 2];
    b[2 * i + 1] = a[2 * i - 1] - a[2 * i + 3];
}
// Rows need not begin with the first component of a record. What a thread writes may be what another one does: then they
// race.
// CHECK: stencil in odd_rows: rank 2, one sweep
KERNEL odd_rows(const float *__restrict__ a, float *__restrict__ b, int n, int m) {
    CELL; INSIDE;
    b[y * n + 2 * x] = a[2 * i - 2] + a[2 * i + 2];
    b[y * n + 2 * x + 1] = a[2 * i - 1] - a[2 * i + 3];
}
// One thread in the middle is left out: the elements are cells of two components.
// CHECK: kernel: blocks; x = {{.*}}, x != 7; y
// CHECK-NEXT: stencil in hole: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0, cells 2 elements apart
KERNEL hole(const float *__restrict__ a, float *__restrict__ b, int n, int m) {
    CELL; INSIDE;
    if (x == 7)
        return;
    b[2 * i] = a[2 * i - 2] + a[2 * i + 2];
    b[2 * i + 1] = a[2 * i - 1] + a[2 * i + 3];
}
// The second component has a guard of its own.
// CHECK: stencil in one_guarded: rank 2, one sweep
// CHECK:   = fadd(
// CHECK:   = select(icmp.{{.}}lt(
KERNEL one_guarded(const float *__restrict__ a, float *__restrict__ b, int n, int m) {
    CELL; INSIDE;
    b[2 * i] = a[2 * i - 2] + a[2 * i + 2];
    if (x < 9)
        b[2 * i + 1] = a[2 * i - 1] + a[2 * i + 3];
}

// A plane each: like arrays, but they may overlap.
// CHECK: kernel: blocks, arrays may overlap; x = {{.*}}
// CHECK-NEXT: stencil in planes: rank 2, one sweep
// CHECK-NEXT:   grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK:        grid a: f32, 1 buffer, halo x -1..1 y -1..1
// CHECK:        writes b[0]
// CHECK-NEXT:   = fadd(a[0](-1,0), a[0](1,0))
// CHECK:        = fsub(a[0](0,-1), a[0](0,1))
KERNEL planes(const float *__restrict__ a, float *__restrict__ b, int n, int m, int plane) {
    CELL; INSIDE;
    b[i] = a[i - 1] + a[i + 1];
    b[plane + i] = a[i - n] - a[i + n];
}
// The rows of both lie between each other.
// CHECK: stencil in rows_between: rank 2, one sweep
KERNEL rows_between(const float *__restrict__ a, float *__restrict__ b, int n, int m) {
    CELL; INSIDE;
    b[2 * y * n + x] = a[i - 1] + a[i + 1];
    b[2 * y * n + n + x] = a[i - n] - a[i + n];
}
// Two rows of one plane.
// CHECK: no stencil in next_row: KernelStores: it writes several elements of an array a thread, by different statements
KERNEL next_row(const float *__restrict__ a, float *__restrict__ b, int n, int m) {
    CELL; INSIDE;
    b[i] = a[i - 1] + a[i + 1];
    b[i + n] = a[i - n] - a[i + n];
}
// No plane is read for two cells.
// CHECK: no stencil in pulled: KernelNotStencil: it reads each element for one cell alone, so that cells share nothing: not a stencil
KERNEL pulled(const float *__restrict__ a, float *__restrict__ b, int n, int m, int plane) {
    CELL; INSIDE;
    b[i] = a[i - 1] + a[plane + i + n];
    b[plane + i] = a[i - 1] - a[plane + i + n];
}
// Both ends of a row of constant length: the last thread of a row writes the other end, too.
// CHECK: stencil in both_ends: rank 2, one sweep
KERNEL both_ends(const float *__restrict__ a, float *__restrict__ b) {
    int x = BX * WX + TX + 1, y = BY * WY + TY + 1;
    if (x == 512) {
        b[514 * y] = a[514 * y];
        b[514 * y + 512] = a[514 * y + 512];
    } else {
        b[514 * y + x] = a[514 * y + x - 1] + a[514 * y + x + 1];
    }
}
// A ghost cell beside the first one.
// CHECK: stencil in ghost: rank 2, one sweep
// CHECK-NEXT: grid b: f32, 1 buffer, halo x 0..0 y 0..0
// CHECK-NEXT: grid b: f32, 1 buffer, halo x 0..0 y 0..0
KERNEL ghost(const float *__restrict__ a, float *__restrict__ b, int n, int m) {
    CELL; INSIDE;
    b[i] = a[i - 1] + a[i + 1];
    if (x == 1)
        b[i - 1] = a[i];
}
// A thread of several cells may write for one what it writes for another.
// CHECK: if 4*{{.*}}-5 >= 0
// CHECK-NEXT: stencil in ghost_planes: rank 3, one sweep
KERNEL ghost_planes(const float *__restrict__ a, float *__restrict__ b, int n, int m, int l) {
    CELL; INSIDE;
    for (int z = 0; z < l; z++, i += n * m) {
        b[i] = a[i - 1] + a[i + 1];
        if (x == 1)
            b[i - 1] = a[i];
    }
}
// CHECK: no stencil in ghost_plane: KernelStores: it writes several elements of an array a thread, by different statements
KERNEL ghost_plane(const float *__restrict__ a, float *__restrict__ b, int n, int m, int l) {
    CELL; INSIDE;
    for (int z = 1; z < l; z++) {
        b[z * n * m + i] = a[z * n * m + i - 1] + a[z * n * m + i + 1];
        if (z == 4)
            b[3 * n * m + i] = a[z * n * m + i];
    }
}
// Columns far apart are two planes.
// CHECK: stencil in both_sides: rank 2, one sweep
KERNEL both_sides(const float *__restrict__ a, float *__restrict__ b) {
    int x = BX * WX + TX + 1, y = BY * WY + TY + 1;
    if (y == 512) {
        b[x] = a[x];
        b[514 * 512 + x] = a[514 * 512 + x];
    } else {
        b[514 * y + x] = a[514 * (y - 1) + x] + a[514 * (y + 1) + x];
    }
}
// A plane each, on a torus: a plane's cells are counted from its own start.
// CHECK: stencil in torus_planes: rank 2, one sweep
// CHECK:   grid a: f32, 1 buffer, halo x -1..0 y 0..0
// CHECK:   grid a: f32, 1 buffer, halo x 0..0 y -1..0
// CHECK:   boundary x wrap..wrap y wrap..wrap
KERNEL torus_planes(const float *__restrict__ a, float *__restrict__ b, int n, int m) {
    int x = BX * WX + TX, y = BY * WY + TY, i = y * n + x;
    if (x >= n || y >= m)
        return;
    b[i] = a[i] + a[y * n + (x - 1 + n) % n];
    b[n * m + i] = a[n * m + i] + a[n * m + (y - 1 + m) % m * n + x];
}
