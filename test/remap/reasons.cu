// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose order is left as it is, though an option asks for another.
// RUN: %clang %cuda -O2 -DT=float %s -o - | %early | %opt -passes=verify -S -o %t.ll
// RUN: %opt -passes='stencil-remap<column=32>' -pass-remarks=stencil -pass-remarks-missed=stencil -S -o %t.after.ll 2>&1 < %t.ll | FileCheck %s
// RUN: diff %t.ll %t.after.ll
#include "../kernels/Inputs/cuda.h"
#define FLAT int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % nx, y = i / nx
// CHECK: kernel left as it is: its threads cannot be put into another order: nothing in it tells rows apart: it neither divides a flat index nor has blocks along two dimensions
KERNEL line(const T *a, T *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        b[i] = a[i] * 2;
}
// CHECK-NEXT: a thread's or block's number is used for more than the flat index
KERNEL thread_too(const T *a, T *b, int nx, int ny) {
    FLAT;
    if (x > 0 && y < ny)
        b[i] = a[i - 1] + threadIdx.x;
}
// CHECK-NEXT: it reads neighbours from the array that it writes
KERNEL in_place(T *a, int nx, int ny) {
    FLAT;
    if (x > 0 && y < ny)
        a[i] = a[i - 1];
}
// CHECK-NEXT: it updates memory atomically
KERNEL atomic(const T *a, int *b, int nx, int ny) {
    FLAT;
    if (y < ny)
        __atomic_fetch_add(&b[x], (int)a[i], __ATOMIC_RELAXED);
}
// CHECK-NEXT: its threads already work together
KERNEL waits(const T *a, T *b, int nx, int ny) {
    FLAT;
    __syncthreads();
    if (y < ny)
        b[i] = a[i];
}
// CHECK-NEXT: kernel left as it is: it asks where or when a thread runs (llvm.nvvm.read.ptx.sreg.laneid), and would get another answer from another thread
KERNEL lane(const T *a, T *b, int nx, int ny) {
    FLAT;
    if (x > 0 && y < ny)
        b[i] = a[i - 1] + __nvvm_read_ptx_sreg_laneid();
}
// CHECK-NEXT: it calls a function that may ask for thread numbers
__device__ __attribute__((noinline, const)) int elsewhere(int x) {
    return x * __nvvm_read_ptx_sreg_tid_x();
}
KERNEL calls(const T *a, T *b, int nx, int ny) {
    FLAT;
    if (x > 0 && y < ny)
        b[i] = a[i - 1] + elsewhere(x);
}
// CHECK-NEXT: its loop over cells carries more than the flat index
KERNEL carries(const T *a, T *b, int nx, int ny) {
    T sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < nx * ny; i += blockDim.x * gridDim.x) {
        sum += a[i / nx];
        b[i] = sum;
    }
}
// CHECK-NEXT: its loop over cells does not end by one comparison
KERNEL stops(const T *a, T *b, int nx, int ny) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < nx * ny; i += blockDim.x * gridDim.x) {
        if (a[i / nx] < 0)
            break;
        b[i] = a[i % nx];
    }
}
// CHECK-NEXT: a thread's or block's number is used for more than the flat index
KERNEL tail(const T *a, T *b, int nx, int ny, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    for (; i < nx * ny; i += blockDim.x * gridDim.x)
        b[i] = a[i % nx] + a[i / nx];
}
// CHECK-NOT: remark
