// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As many columns as the reciprocal is good for, all cells are computed, once each.
// RUN: %clang %cuda -O2 -DT=int %s -o - | %early | %opt -passes='stencil-remap<column=1>' -S -o %t.ll
// RUN: %stencil-sim %t.ll --kernel count --grid 94719 --block 128 --arg buf:i32:12124032:zero --arg i32:262143 --arg i32:46 --hash 0 > %t.1
// RUN: %stencil-sim %t.ll --kernel all --grid 94719 --block 128 --arg buf:i32:12124032:zero --arg i32:12058578 --hash 0 > %t.2
// RUN: diff %t.1 %t.2
#include "../kernels/Inputs/cuda.h"

KERNEL count(int *b, int nx, int ny) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % nx, y = i / nx;
    if (y < ny)
        b[i] += x + y * nx + 1;
}
KERNEL all(int *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        b[i] += i + 1;
}
