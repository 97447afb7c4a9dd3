// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that was reordered can be blocked, and one that was blocked reordered: in one run of opt, and in two. Threads of a body
// from scratchpad or registers work together, so its blocks are reordered.
// RUN: %clang %nvidia --cuda-gpu-arch=sm_75 -O2 %s -o - | %early -o %t.ll
// RUN: %opt -passes='stencil-remap<column=32>,stencil-block<cache=l1>' -pass-remarks=stencil -S %t.ll -o %t.1.ll 2>&1 | FileCheck %s --check-prefix=ORDERED
// RUN: FileCheck %s --check-prefix=BOTH < %t.1.ll
// RUN: %opt -passes='stencil-remap<column=32>' -pass-remarks=stencil -S %t.ll -o %t.2.ll 2>&1 | FileCheck %s --check-prefix=ORDERED
// RUN: FileCheck %s --check-prefix=STORED < %t.2.ll
// RUN: %opt -passes='stencil-block<cache=l1>' -S %t.2.ll -o - | FileCheck %s --check-prefix=BOTH
// RUN: %opt -passes='stencil-block<cache=l1>,stencil-remap<column=32>' -S %t.ll -o - | FileCheck %s --check-prefix=BOTH
// RUN: %opt -passes='stencil-block<cache=lds>,stencil-remap<column=4>' -S %t.ll -o - | FileCheck %s --check-prefix=BLOCKS
// RUN: %opt -passes='stencil-remap<column=4>,stencil-block<cache=reg>' -S %t.ll -o - | FileCheck %s --check-prefix=BLOCKS
// Where it is not to be blocked, no second body is kept.
// RUN: %opt -passes='stencil-remap<column=32;block=0>' -S %t.ll -o - | FileCheck %s --check-prefix=ALONE
// A blocked kernel that cannot be reordered says so.
// RUN: %opt -passes='stencil-remap<column=32>,stencil-block<cache=l1>' -pass-remarks=stencil -pass-remarks-missed=stencil -disable-output %t.ll 2>&1 | FileCheck %s --check-prefix=DROPPED
// A body that was kept and is not used is removed, also from what LLVM knows of the module.
// RUN: %opt -passes='stencil-remap<column=32>,require<callgraph>,stencil-block<block=0>' -debug-pass-manager -disable-output %t.ll 2>&1 | FileCheck %s --check-prefix=REMOVED
// The model weighs both: threads that have eight rows fetch less in rows.
// RUN: %told -passes='stencil-remap' %t.ll -disable-output 2>&1 | FileCheck %s --check-prefix=WEIGHED
// RUN: %differ --targets sm_75,gfx942 --levels 3 --types float --runs 3 --expect changed --passes 'stencil-remap<column=8>,stencil-block<cache=l1>' --passes 'stencil-block<cache=l1>,stencil-remap<column=8;zigzag>' star2d1r_flat star2d1r star3d1r
// RUN: %differ --targets sm_75,gfx942 --levels 3 --types float --runs 3 --expect changed --passes 'stencil-remap<column=2>,stencil-block<cache=lds>' --passes 'stencil-block<cache=reg>,stencil-remap<tiles=2x3>' star2d1r star3d1r
// ORDERED: thread order: columns of 32
// STORED-DAG: define available_externally {{.*}}box3.before-order
// STORED-DAG: "stencilopt-order"="columns of 32"
// BOTH-NOT: before-order
// BOTH: define {{.*}} @box3(
// BOTH-NOT: before-order
// BOTH: "stencilopt-block"="done"{{.*}} "stencilopt-order"="columns of 32"
// BLOCKS: "stencilopt-block"="done"{{.*}} "stencilopt-order"="columns of 4 blocks"
// ALONE-NOT: before-order
// REMOVED: Running pass: stencil-block on [module]
// REMOVED-NEXT: Invalidating analysis: CallGraphAnalysis on [module]
// DROPPED: kernel blocked: 2-D stencil, 4 cells read
// DROPPED-NEXT: thread order dropped: its threads cannot be put into another order: a thread's or block's number is used for more than the flat index
// WEIGHED: thread order: stencil of 3 x 3 cells of u = 4 bytes, blocked: {{.*}}; the fetches saved do not pay for the instructions
#include "../kernels/Inputs/cuda.h"

KERNEL box3(const float *a, float *b, int nx, int ny) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % nx, y = i / nx;
    if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)
        return;
    float sum = 0;
    for (int k = -1; k <= 1; k++)
        for (int j = -1; j <= 1; j++)
            sum += a[(y + k) * nx + x + j];
    b[i] = sum;
}

KERNEL box3_of_blocks(const float *a, float *b, int nx, int ny) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)
        return;
    float sum = 0;
    for (int k = -1; k <= 1; k++)
        for (int j = -1; j <= 1; j++)
            sum += a[(y + k) * nx + x + j];
    b[y * nx + x] = sum;
}

KERNEL star_in_loop(const float *a, float *b, int nx, int ny) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < nx * ny; i += gridDim.x * blockDim.x) {
        int x = i % nx, y = i / nx;
        if (x >= 1 && y >= 1 && x < nx - 1 && y < ny - 1)
            b[i] = a[i - 1] + a[i + 1] + a[i - nx] + a[i + nx];
    }
}
