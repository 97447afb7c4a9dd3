// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Why kernels are left alone, in the words of those who write kernels.
// RUN: %clang %cuda -O2 %s -o - | %opt %early2 2>&1 | FileCheck %s --match-full-lines --check-prefixes=CHECK,CUDA
// RUN: %clang %hip -O2 %s -o - | %opt %early2 2>&1 | FileCheck %s --match-full-lines
// RUN: %clang %cuda -fdiscard-value-names -O2 %s -o - | %opt %early2 2>&1 | FileCheck %s --match-full-lines --check-prefix=UNNAMED
#include "Inputs/gpu.h"

#define I int i = BX * WX + TX


// CHECK: no stencil in components: KernelStep: neighbouring threads access elements of an array that are more than 32 apart, run backwards, or are as far apart as an argument says; let them access neighbouring elements
KERNEL components(const float *a, float *b, int components) {
    I;
    b[i] = a[components * (i - 1)] + a[components * (i + 1)];
}
// CHECK: no stencil in all_components: KernelStores: it writes several elements of an array a thread, by different statements; a thread may write up to 32 elements: one cell of each array or plane, with its components, several cells by one statement, and a further cell at a border
KERNEL all_components(const float *a, float *b, int n) {
    I;
    b[i] = a[i - 1] + a[i + 1];
    b[i + 1] = a[i - 1] - a[i + 1];
}
// CHECK: no stencil in four: KernelRank: its cells have more than three coordinates
KERNEL four(const float *a, float *b, int n, int m, int k) {
    int i = ((BZ * m + BY) * n + BX) * k + TX;
    b[i] = a[i - 1] + a[i + 1];
}
// CHECK: no stencil in by_thread: KernelNumber: a value that it computes depends on its thread's number in another way than by the coordinates of its cell
KERNEL by_thread(const float *a, float *b) {
    I;
    b[i] = (float)(TX & 3) * (a[i - 1] + a[i + 1]);
}
// CHECK: no stencil in by_block: KernelNumber: a value that it computes depends on its block's number in another way than by the coordinates of its cell
KERNEL by_block(const float *a, float *b) {
    I;
    b[i] = (float)(BX & 3) * (a[i - 1] + a[i + 1]);
}
// CHECK: no stencil in records: KernelStores: it writes records as a whole (memcpy or memset); a thread may write up to 32 elements: one cell of each array or plane, with its components, several cells by one statement, and a further cell at a border
KERNEL records(const float *a, float *b) {
    I;
    __builtin_memcpy(b + 64 * i, a + 64 * i, 256);
}
// CHECK: no stencil in by_table: KernelIndirect: where a neighbour is found is read from memory (neighbour{{.*}}), which others may write; give the pointer or the index to the kernel as an argument
// UNNAMED: no stencil in by_table: KernelIndirect: where a neighbour is found is read from memory (argument 2), which others may write; give the pointer or the index to the kernel as an argument
KERNEL by_table(const float *a, const int *neighbour, float *b) {
    I;
    b[i] = a[neighbour[i]] + a[i + 1];
}
#ifndef __HIP__
// CUDA: no stencil in texture: KernelTexture: it reads or writes a texture or a surface (tex.1d.v4.f32.s32); give it arrays in global memory
KERNEL texture(unsigned long a, float *b) {
    I;
    float x, y, z, w;
    asm volatile("tex.1d.v4.f32.s32 {%0, %1, %2, %3}, [%4, {%5}];" : "=f"(x), "=f"(y), "=f"(z), "=f"(w) : "l"(a), "r"(i - 1));
    b[i] = x;
}
#endif
