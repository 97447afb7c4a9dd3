// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indices chosen by rules that are not a border's, or not known to be: a choice of two neighbours is one of what is read
// (test/kernels/choices.cu runs such kernels); others are left alone.
// RUN: %clang %cuda -O1 %s -o - | %opt %early1 2>&1 | FileCheck %s
// RUN: %clang %cuda -O2 %s -o - | %opt %early2 2>&1 | FileCheck %s
// RUN: %clang %cuda -O3 %s -o - | %opt %early3 2>&1 | FileCheck %s
// RUN: %clang %hip -O1 %s -o - | %opt %early1 2>&1 | FileCheck %s
// RUN: %clang %hip -O2 %s -o - | %opt %early2 2>&1 | FileCheck %s
// RUN: %clang %hip -O3 %s -o - | %opt %early3 2>&1 | FileCheck %s
#include "Inputs/gpu.h"

#define CELL int x = BX * WX + TX, y = BY * WY + TY
#define INSIDE if (x >= n || y >= m) return

// clamped at two different cells at one border
KERNEL two_bounds(const float *a, float *b, int n, int m) {
    CELL; INSIDE;
    int w = x - 1 < 0 ? 0 : x - 1, v = x - 2 < 1 ? 1 : x - 2;
    b[y * n + x] = a[y * n + w] + a[y * n + v];
}
// one access clamped, one wrapped
KERNEL two_rules(const float *a, float *b, int n, int m) {
    CELL; INSIDE;
    int w = x - 1 < 0 ? 0 : x - 1, v = x - 2 < 0 ? x - 2 + n : x - 2;
    b[y * n + x] = a[y * n + w] + a[y * n + v];
}
// comes back 5 cells on
KERNEL jumps(const float *a, float *b, int n, int m) {
    CELL; INSIDE;
    int w = x - 1 < 0 ? 5 : x - 1;
    b[y * n + x] = a[y * n + w] + a[y * n + x];
}
KERNEL jumps_two(const float *a, float *b, int n, int m) {
    CELL; INSIDE;
    int w = x - 2 < 0 ? 5 : x - 2;
    b[y * n + x] = a[y * n + w] + a[y * n + x];
}
// modulo a number that is not the width
KERNEL other_modulus(const float *a, float *b, int n, int m) {
    CELL; INSIDE;
    int w = (x + 31) % 32;
    b[y * n + x] = a[y * n + w] + a[y * n + x];
}
KERNEL other_modulus_constant(const float *a, float *b) {
    CELL; if (x >= 64 || y >= 64) return;
    int w = (x + 31) % 32;
    b[y * 64 + x] = a[y * 64 + w] + a[y * 64 + x];
}
KERNEL negative_remainder(const float *a, float *b, int n, int m) {
    CELL; INSIDE;
    int w = (x - 1) % n;
    b[y * n + x] = a[y * n + w] + a[y * n + x];
}
// also of the own cell
KERNEL negative_remainders(const float *a, float *b, int n, int m) {
    CELL; INSIDE;
    b[y * n + x] = a[y * n + (x - 1) % n] + a[y * n + x % n];
}
KERNEL unsigned_remainder(const float *a, float *b, unsigned n, unsigned m) {
    unsigned x = BX * WX + TX, y = BY * WY + TY; INSIDE;
    unsigned w = (x - 1) % n;
    b[y * n + x] = a[y * n + w] + a[y * n + x];
}
KERNEL unsigned_clamp(const float *a, float *b, unsigned n, unsigned m) {
    unsigned x = BX * WX + TX, y = BY * WY + TY; INSIDE;
    unsigned w = x - 1 < n ? x - 1 : 0;
    b[y * n + x] = a[y * n + w] + a[y * n + x];
}
KERNEL unguarded_wrap(const float *a, float *b, int n, int m) {
    CELL;
    int e = x == n - 1 ? 0 : x + 1;
    b[y * n + x] = a[y * n + e] + a[y * n + x];
}
KERNEL unguarded_modulo(const float *a, float *b, int n, int m) {
    CELL;
    int e = (x + 1) % n;
    b[y * n + x] = a[y * n + e] + a[y * n + x];
}
KERNEL other_axis(const float *a, float *b, int n, int m) {
    CELL; INSIDE;
    int w = y == 0 ? x : x - 1;
    b[y * n + x] = a[y * n + w] + a[y * n + x];
}
KERNEL both_axes(const float *a, float *b, int n, int m) {
    CELL; INSIDE;
    int w = x > y ? x - 1 : x;
    b[y * n + x] = a[y * n + w] + a[y * n + x];
}
KERNEL middle(const float *a, float *b, int n, int m) {
    CELL; INSIDE;
    int w = x == 7 ? 3 : x - 1;
    b[y * n + x] = a[y * n + w] + a[y * n + x];
}
KERNEL in_place_far(float *a, int n, int m) {
    CELL; INSIDE;
    int w = x > 4 ? 4 : x;
    a[y * n + x] = a[y * n + w] + 1;
}
KERNEL in_place_clamp(float *a, int n, int m) {
    CELL; INSIDE;
    int w = x > 0 ? x - 1 : 0;
    a[y * n + x] = a[y * n + w] + a[y * n + x];
}
KERNEL written_clamped(const float *a, float *b, int n, int m) {
    CELL; INSIDE;
    int w = x < 4 ? 4 : x;
    b[y * n + w] = a[y * n + x - 1] + a[y * n + x];
}
// the cell itself is found by remainders of two numbers
KERNEL divided_twice(const float *a, float *b, int n, int m) {
    CELL; INSIDE;
    b[y % m * n + x % n] = a[((y - 1 + m) % m) * n + (x + 1) % n] + a[((y + m) % m) * n + (x + n) % n];
}

// CHECK: no stencil in two_bounds: KernelBoundary: {{.*}}(accesses differ in their rules or bounds at one border)
// CHECK: stencil in two_rules: rank 2
// CHECK: stencil in jumps: rank 2
// CHECK: stencil in jumps_two: rank 2
// CHECK: no stencil in other_modulus: KernelBoundary: {{.*}}(it moves by a fixed number of cells)
// CHECK: no stencil in other_modulus_constant: KernelBoundary: {{.*}}(nothing bounds the coordinate there)
// CHECK: no stencil in negative_remainder: KernelBoundary: {{.*}}(a remainder of what may be negative; add the divisor to it)
// CHECK: no stencil in negative_remainders: KernelBoundary: {{.*}}(a remainder of what may be negative; add the divisor to it)
// If n is a power of two.
// CHECK: stencil in unsigned_remainder: rank 2
// CHECK: stencil in unsigned_clamp: rank 2
// CHECK: stencil in unguarded_wrap: rank 2
// No guard bounds x: the launch must.
// CHECK: kernel: blocks{{.*}}, wrap above n-1 by n; {{.*}}; if {{.*}}-blockDim.x*gridDim.x{{.*}} >= 0
// CHECK: stencil in unguarded_modulo: rank 2
// CHECK: stencil in other_axis: rank 2
// CHECK: stencil in both_axes: rank 2
// CHECK: stencil in middle: rank 2
// CHECK: no stencil in in_place_far: KernelBoundary: {{.*}}(it is not another cell along the same axis)
// CHECK: no stencil in in_place_clamp: KernelInPlace: it reads neighbours from the array that it writes, and nothing shows that no other thread writes these; write to a second array
// CHECK: no stencil in written_clamped: KernelIndex: {{.*}}(a thread's place in the array written does not grow evenly)
// CHECK: no stencil in divided_twice: KernelIndex: {{.*}}(two different numbers are divided)
