// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Neighbours from scratchpad: the bytes and the barriers of a kernel.
// RUN: %to-sm_90 | %opt -passes='stencil-block<cache=lds;coarsen=2>' -S | FileCheck %s --check-prefixes=TILE,BARRIER
// RUN: %to-sm_90 | %opt -passes='stencil-block<cache=lds;coarsen=2;load=branch>' -S | FileCheck %s --check-prefixes=TILE,BARRIER
// RUN: %to-sm_90 | %opt -passes='stencil-block<cache=lds;coarsen=2;blocking=2.5d>' -S | FileCheck %s --check-prefixes=PLANES
// RUN: %to-gfx1100 | %opt -passes='stencil-block<cache=lds;coarsen=2>' -S | FileCheck %s --check-prefix=TILE
// RUN: %to-gfx1100 | %opt -passes='stencil-block<cache=lds;coarsen=2>' -S | %code-gfx1100 -o - | FileCheck %s --check-prefix=GFX
// RUN: %to-sm_90 | %opt -passes='stencil-block<cache=lds;coarsen=32>' -pass-remarks-missed=stencil -disable-output 2>&1 | FileCheck %s --check-prefix=LARGE
#include "Inputs/gpu.h"

// The tile of 32x8 threads with two cells each: 34x18 cells.
// TILE: @stencilopt.scratchpad.known.2448 = internal addrspace(3) global [2448 x i8] poison, align 16
// Two rows of each thread are kept, one at a time: 34x8 cells, in two buffers.
// PLANES: @stencilopt.scratchpad.known.2176 = internal addrspace(3) global [2176 x i8] poison, align 16
// BARRIER: define {{.*}} @known(
// BARRIER-COUNT-2: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
// BARRIER-NOT: barrier
// PLANES: define {{.*}} @known(
// PLANES-COUNT-4: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
// PLANES-NOT: barrier
// GFX: .amdhsa_group_segment_fixed_size 2448
// LARGE: kernel left as it is: {{.*}}a block's tile is more than its scratchpad
KERNEL known(const float *__restrict a, float *__restrict b, int n, int m) {
    int x = BX * 32 + TX, y = BY * 8 + TY;
    if (x > 0 && x < n - 1 && y > 0 && y < m - 1)
        b[y * n + x] = a[y * n + x] + a[y * n + x - 1] + a[y * n + x + 1] + a[(y - 1) * n + x] + a[(y + 1) * n + x];
}

// Of a block of any shape it is asked whether its tile fits.
// PLANES-LABEL: define {{.*}} @unknown(
// TILE-LABEL: define {{.*}} @unknown(
// TILE: icmp ule i64 %{{.*}}, {{[0-9]+}}
// TILE: br i1
__attribute__((launch_bounds(256)))
KERNEL unknown(const double *__restrict a, double *__restrict b, int n, int m) {
    int x = BX * WX + TX, y = BY * WY + TY;
    if (x > 0 && x < n - 1 && y > 0 && y < m - 1)
        b[y * n + x] = a[y * n + x] + a[y * n + x - 1] + a[y * n + x + 1] + a[(y - 1) * n + x] + a[(y + 1) * n + x];
}

KERNEL huge(const double *__restrict a, double *__restrict b, int n, int m) {
    int x = BX * 32 + TX, y = BY * 32 + TY;
    if (x > 0 && x < n - 1 && y > 0 && y < m - 1)
        b[y * n + x] = a[y * n + x] + a[y * n + x - 1] + a[y * n + x + 1] + a[(y - 1) * n + x] + a[(y + 1) * n + x];
}
