// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the model chooses for stencils of a flat index, by GPU. Where it is blocked, a block shares what an order would; where it is
// not wanted, GPUs with a small L1 get columns as narrow as the thesis found best (32 to 128).
// RUN: %clang %nvidia --cuda-gpu-arch=sm_75 -O2 %s -o - | %early -o %t.sm_75.ll
// RUN: %clang %nvidia --cuda-gpu-arch=sm_86 -O2 %s -o - | %early -o %t.sm_86.ll
// RUN: %clang %nvidia --cuda-gpu-arch=sm_90 -O2 %s -o - | %early -o %t.sm_90.ll
// RUN: %clang %amd --offload-arch=gfx942 -O2 %s -o - | %early -o %t.gfx942.ll
// RUN: %told -passes='stencil-remap' %t.sm_75.ll 2>&1 | FileCheck %s --check-prefix=BLOCKED
// RUN: %told -passes='stencil-remap' %t.gfx942.ll 2>&1 | FileCheck %s --check-prefix=BLOCKED
// RUN: %told -passes='stencil-remap<block=0>' %t.sm_75.ll 2>&1 | FileCheck %s --check-prefix=NARROW
// RUN: %told -passes='stencil-remap<block=0>' %t.gfx942.ll 2>&1 | FileCheck %s --check-prefix=WAVE
// RUN: %told -passes='stencil-remap<block=0>' %t.sm_86.ll 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: %told -passes='stencil-remap<block=0>' %t.sm_90.ll 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: %opt -passes='stencil-remap,stencil-block' -pass-remarks='^stencil$' -disable-output %t.sm_75.ll 2>&1 | FileCheck %s --check-prefix=BOTH
// BLOCKED: thread order: stencil of 9 x 9 cells of u = 4 bytes, blocked: {{.*}}; the fetches saved do not pay
// BLOCKED-NOT: thread order: columns of
// NARROW: a block of 256 threads fetches {{[0-9.]+}} bytes a cell in columns of 32
// NARROW: thread order: columns of 32
// NARROW: thread order: stencil: a block's threads share rows already
// WAVE: thread order: columns of 64
// WAVE: thread order: stencil: a block's threads share rows already
// ROWS: the fetches saved do not pay for the instructions
// ROWS-NOT: columns of {{[0-9]+$}}
// BOTH: kernel blocked: 2-D stencil, 81 cells read
#include "../kernels/Inputs/cuda.h"

KERNEL box9(const float *a, float *b, int nx, int ny) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % nx, y = i / nx;
    if (x < 4 || y < 4 || x >= nx - 4 || y >= ny - 4)
        return;
    float sum = 0;
    for (int k = -4; k <= 4; k++)
        for (int j = -4; j <= 4; j++)
            sum += a[(y + k) * nx + x + j];
    b[i] = sum;
}

KERNEL box9_of_blocks(const float *a, float *b, int nx, int ny) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 4 || y < 4 || x >= nx - 4 || y >= ny - 4)
        return;
    float sum = 0;
    for (int k = -4; k <= 4; k++)
        for (int j = -4; j <= 4; j++)
            sum += a[(y + k) * nx + x + j];
    b[y * nx + x] = sum;
}
