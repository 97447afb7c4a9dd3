// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that are left as they are, one for each reason.
// RUN: %clang %cuda -O1 %s -o - | %opt %early1 2>&1 | FileCheck %s
// RUN: %clang %cuda -O2 %s -o - | %opt %early2 2>&1 | FileCheck %s
// RUN: %clang %cuda -O3 %s -o - | %opt %early3 2>&1 | FileCheck %s
// RUN: %clang %hip -O1 %s -o - | %opt %early1 2>&1 | FileCheck %s
// RUN: %clang %hip -O2 %s -o - | %opt %early2 2>&1 | FileCheck %s
// RUN: %clang %hip -O3 %s -o - | %opt %early3 2>&1 | FileCheck %s
#include "Inputs/gpu.h"

#define I int i = BX * WX + TX

// CHECK: no stencil in tiled: KernelTiled: its threads already work together ({{in shared memory|at barriers}})
KERNEL tiled(const float *a, float *b, int n) {
    I;
    __shared__ float tile[34];
    tile[TX + 1] = a[i];
    BARRIER;
    b[i] = tile[TX] + tile[TX + 2];
}
// CHECK: no stencil in waits: KernelTiled: its threads already work together (at barriers)
KERNEL waits(const float *a, float *b, int n) {
    I;
    float v = a[i - 1] + a[i + 1];
    BARRIER;
    b[i] = v;
}
// CHECK: no stencil in own_array: KernelLocal: a thread keeps values in an array of its own, whose indices the compiler does not know
KERNEL own_array(const float *a, float *b, int n, int k) {
    I;
    float seen[64];
    for (int j = 0; j < 64; j++)
        seen[j] = a[i + j];
    seen[k & 63] = 0;
    b[i] = seen[0] + seen[(k + 1) & 63];
}
// CHECK: no stencil in atomic: KernelAtomic: it updates memory atomically
KERNEL atomic(const float *a, int *b, int n) {
    I;
    __atomic_fetch_add(&b[i], (int)(a[i - 1] + a[i + 1]), __ATOMIC_RELAXED);
}
// CHECK: no stencil in reads_volatile: KernelVolatile: it accesses volatile or synchronised memory, which others may write while it runs
KERNEL reads_volatile(const volatile float *a, float *b, int n) {
    I;
    b[i] = a[i - 1] + a[i + 1];
}
// CHECK: no stencil in by_table: KernelIndirect: where a neighbour is found is read from memory
KERNEL by_table(const float *a, const int *neighbour, float *b, int n) {
    I;
    b[i] = a[neighbour[i]] + a[i + 1];
}
// CHECK: no stencil in by_pointers: KernelIndirect: where a neighbour is found is read from memory
KERNEL by_pointers(const float *const *a, float *b, int n) {
    I;
    b[i] = a[0][i - 1] + a[1][i + 1];
}
// CHECK: no stencil in in_place: KernelInPlace: it reads neighbours from the array that it writes, and nothing shows that no other thread writes these; write to a second array, or give red and black cells an array each
KERNEL in_place(float *a, int n) {
    I;
    if (i > 0 && i < n - 1)
        a[i] = 0.5f * (a[i - 1] + a[i + 1]);
}
// CHECK: no stencil in in_place_2d: KernelInPlace
KERNEL in_place_2d(float *a, int n, int m) {
    int x = BX * WX + TX, y = BY * WY + TY;
    if (x < n && y > 0 && y < m)
        a[y * n + x] = a[(y - 1) * n + x];
}
// CHECK: no stencil in two_arrays: KernelInPlace: it reads neighbours from the array that it writes
KERNEL two_arrays(const float *a, float *b, float *c, int n) {
    I;
    b[i] = a[i - 1] + a[i + 1];
    c[i] = b[i - 1] - a[i + 1];
}
// CHECK: no stencil in nothing: KernelStores: it writes no array element
KERNEL nothing(const float *a) {}
__device__ float outside(float);
// CHECK: no stencil in calls: KernelCall: it calls {{.*}}outside{{.*}}, which is not known to be free of side effects
KERNEL calls(const float *a, float *b) {
    I;
    b[i] = outside(a[i - 1] + a[i + 1]);
}
// CHECK: no stencil in inner_loop_writes: KernelCount: a loop in it goes over something else than cells
KERNEL inner_loop_writes(const float *a, float *b, const int *reach) {
    I;
    b[i] = 0;
    for (int k = 0; k < *reach; k++)
        if (i >= k)
            b[i] += a[i - k];
}
// CHECK: no stencil in inner_loop: KernelCount: a loop in it goes over something else than cells, and how often is only known when the kernel runs; with a number of iterations that the compiler knows, such as a template's argument, or that follows from one or two integers among the kernel's arguments, it can be unrolled{{$}}
KERNEL inner_loop(const float *a, float *b, const int *reach) {
    I;
    float sum = 0;
    int radius = *reach;
    for (int k = -radius; k <= radius; k++)
        sum += a[i + k];
    b[i] = sum;
}
// CHECK: no stencil in one_cell: KernelCell: the array element that it writes depends on no thread's or block's number
KERNEL one_cell(const float *a, float *b) {
    b[0] = a[0] + a[1];
}
// CHECK: stencil in chosen: rank 1, one sweep
KERNEL chosen(const float *a, float *b, int n) {
    I;
    if (i < n)
        b[i] = a[i == 7 ? 3 : i - 1] + a[i + 1];
}
// CHECK: stencil in by_value: rank 1
// CHECK: = select({{.*}}mask[0](0)
KERNEL by_value(const float *a, const int *mask, float *b, int n) {
    I;
    if (mask[i])
        b[i] = a[i - 1] + a[i + 1];
}
// CHECK: stencil in triangle: rank 2
// CHECK: = select(
KERNEL triangle(const float *a, float *b, int n) {
    int x = BX * WX + TX, y = BY * WY + TY;
    if (x + y < n)
        b[y * n + x] = a[y * n + x - 1] + a[y * n + x + 1];
}
// CHECK: stencil in every_other: rank 1, one sweep
// CHECK:   grid b: f32, 1 buffer, halo x 0..0, cells 2 elements apart
// CHECK:   grid a: f32, 1 buffer, halo x -1..0, cells 2 elements apart
KERNEL every_other(const float *a, float *b, int n) {
    I;
    b[2 * i] = a[2 * i - 1] + a[2 * i + 1];
}
// CHECK: no stencil in far_apart: KernelNotContiguous: neighbouring threads do not write neighbouring array elements
KERNEL far_apart(const float *a, float *b, int n) {
    I;
    b[33 * i] = a[33 * i - 1] + a[33 * i + 1];
}
// CHECK: no stencil in columns: KernelNotContiguous: neighbouring threads do not write neighbouring array elements
KERNEL columns(const float *a, float *b, int n) {
    I;
    b[n * i] = a[n * i - 1] + a[n * i + 1];
}
// CHECK: no stencil in copy: KernelNotStencil: it reads each element for one cell alone, so that cells share nothing: not a stencil
KERNEL copy(const float *a, float *b, int n) {
    I;
    b[i] = 2 * a[i];
}
// CHECK: no stencil in copy2d: KernelNotStencil: it reads each element for one cell alone, so that cells share nothing: not a stencil
KERNEL copy2d(const float *a, float *b, int nx, int ny) {
    int x = BX * WX + TX, y = BY * WY + TY;
    if (x < nx && y < ny)
        b[y * nx + x] = 2 * a[y * nx + x];
}
// A corner, by its number.
// CHECK: no stencil in numbered_corner: KernelNumbered: it writes an element by its number, as b[0] under i == 0; choose the value under the conditions, and write it once behind them
KERNEL numbered_corner(const float *a, float *b, int n, int m) {
    int i = BX * WX + TX;
    if (i >= n * m)
        return;
    if (i == 0)
        b[i] = a[1];
    else if (i < n)
        b[i] = a[i + n];
    else if (i >= n * (m - 1))
        b[i] = a[i - n];
    else
        b[i] = a[i - 1] + a[i + 1] + a[i - n] + a[i + n];
}
// A mask that is walked by coordinates.
// CHECK: no stencil in moved_mask: KernelCount: {{.*}}; its bounds are computed of coordinates; where they are as far from the cell as an argument says, count from -r to r, and add the coordinate inside
KERNEL moved_mask(const float *a, float *b, const float *w, int n, int m, int r) {
    int x = BX * WX + TX, y = BY * WY + TY;
    if (x < r || y < 1 || x >= n - r || y >= m - 1)
        return;
    float sum = 0;
    for (int i = x - r; i <= x + r; i++)
        sum += w[i - x + r] * a[y * n + i];
    b[y * n + x] = sum;
}
