// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations that are repeated as they are; and those that are not known to be defined for all values.
// RUN: %clang %cuda -O2 %s -o - | %opt %early2 2>&1 | FileCheck %s
#include "Inputs/gpu.h"

#define CELL                                                                                       \
    int x = BX * WX + TX;                                                                          \
    if (x < 1 || x >= n - 1)                                                                       \
        return

static __device__ __attribute__((noinline)) float half(float x, float y) { return x < y ? x * 0.5f : y; }
static __device__ __attribute__((noinline)) int ratio(int x, int y) { return x / y; }

// clang marks inline assembly as convergent, and so LLVM keeps the mark of functions that have some.
static __device__ __attribute__((noinline)) float inverse(float x) {
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return x > 1 ? y : x - y;
}

static __device__ __attribute__((noinline)) float two_inverses(float x) { return inverse(x) + inverse(x + 2); }

static __device__ __attribute__((noinline)) int with_lane(int x) {
    int y;
    asm("mov.u32 %0, %%laneid;" : "=r"(y));
    return x > 1 ? y : x;
}

// CHECK: stencil in assembly: rank
// CHECK: = {{.*}}rcp.approx.ftz.f32(
KERNEL assembly(const float *a, float *b, int n) {
    CELL;
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(a[x - 1]));
    b[x] = y + a[x + 1];
}

// CHECK: stencil in two_lines: rank
// CHECK: = {{.*}}mad.lo.cc.u32(
KERNEL two_lines(const unsigned *a, unsigned *b, int n) {
    CELL;
    unsigned low, high;
    asm("{\n\tmad.lo.cc.u32 %0, %2, %3, %4;\n\tmadc.hi.u32 %1, %2, %3, 0;\n}"
        : "=r"(low), "=r"(high)
        : "r"(a[x - 1]), "r"(a[x + 1]), "r"(a[x]));
    b[x] = low ^ high;
}

// CHECK: stencil in function: rank
// CHECK: = {{.*}}half(
KERNEL function(const float *a, float *b, int n) {
    CELL;
    b[x] = half(a[x - 1], a[x + 1]);
}

// CHECK: no stencil in divides: {{.*}}'ratio' is no arithmetic
KERNEL divides(const int *a, int *b, int n) {
    CELL;
    b[x] = ratio(a[x - 1], a[x + 1]);
}

// CHECK: no stencil in lane: {{.*}}it calls inline assembly (mov.u32), which
KERNEL lane(const int *a, int *b, int n) {
    CELL;
    int y;
    asm("mov.u32 %0, %%laneid;" : "=r"(y));
    b[x] = y + a[x - 1] + a[x + 1];
}

// CHECK: no stencil in shuffles: {{.*}}it calls inline assembly (shfl.sync.idx.b32), which
KERNEL shuffles(const int *a, int *b, int n) {
    CELL;
    int y;
    asm("shfl.sync.idx.b32 %0, %1, 0, 31, -1;" : "=r"(y) : "r"(a[x - 1]));
    b[x] = y + a[x + 1];
}

// CHECK: no stencil in loads: {{.*}}it calls inline assembly (ld.global.f32), which
KERNEL loads(const float *a, float *b, int n) {
    CELL;
    float y;
    asm("ld.global.f32 %0, [%1];" : "=f"(y) : "l"(a + x - 1));
    b[x] = y + a[x + 1];
}

// CHECK: no stencil in effects: {{.*}}it calls inline assembly (add.f32), which
KERNEL effects(const float *a, float *b, int n) {
    CELL;
    float y;
    asm volatile("add.f32 %0, %1, %1;" : "=f"(y) : "f"(a[x - 1]));
    b[x] = y + a[x + 1];
}

// CHECK: stencil in marked: rank
// CHECK: = {{.*}}inverse(
KERNEL marked(const float *a, float *b, int n) {
    CELL;
    b[x] = inverse(a[x - 1]) + inverse(a[x + 1]);
}

// CHECK: stencil in marked_twice: rank
// CHECK: = {{.*}}two_inverses(
KERNEL marked_twice(const float *a, float *b, int n) {
    CELL;
    b[x] = two_inverses(a[x - 1]) + two_inverses(a[x + 1]);
}

// CHECK: no stencil in marked_and_asks: {{.*}}it calls with_lane, which may exchange values with other threads
KERNEL marked_and_asks(const int *a, int *b, int n) {
    CELL;
    b[x] = with_lane(a[x - 1]) + with_lane(a[x + 1]);
}
