// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: ptxas
// Nothing is spilled, and scratchpad is as planned: 34x6x6 cells of 32x4x4 threads, or two buffers
// of 34x6x4.
// RUN: %to-sm_90 | %opt -passes='stencil-block<cache=reg;coarsen=4>' -S | %code-sm_90 -o %t.s
// RUN: %ptxas -v -arch=sm_90 %t.s -o %t.cubin 2>&1 | FileCheck %s --check-prefixes=SPILLS,REG
// RUN: %to-sm_90 | %opt -passes='stencil-block<cache=reg;load=cyclic;coarsen=4>' -S | %code-sm_90 -o %t.s
// RUN: %ptxas -v -arch=sm_90 %t.s -o %t.cubin 2>&1 | FileCheck %s --check-prefixes=SPILLS,REG
// RUN: %to-sm_90 | %opt -passes='stencil-block<cache=reg;wave=2d;coarsen=2>' -S | %code-sm_90 -o %t.s
// RUN: %ptxas -v -arch=sm_90 %t.s -o %t.cubin 2>&1 | FileCheck %s --check-prefixes=SPILLS,REG
// RUN: %to-sm_90 | %opt -passes='stencil-block<cache=lds;coarsen=1>' -S | %code-sm_90 -o %t.s
// RUN: %ptxas -v -arch=sm_90 %t.s -o %t.cubin 2>&1 | FileCheck %s --check-prefixes=SPILLS,TILE
// RUN: %to-sm_90 | %opt -passes='stencil-block<cache=lds;blocking=2.5d;coarsen=4>' -S | %code-sm_90 -o %t.s
// RUN: %ptxas -v -arch=sm_90 %t.s -o %t.cubin 2>&1 | FileCheck %s --check-prefixes=SPILLS,PLANES
// SPILLS: Function properties for box
// SPILLS-NEXT: 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
// REG-NOT: bytes smem
// TILE: 4896 bytes smem
// PLANES: 6528 bytes smem
#include "Inputs/gpu.h"

KERNEL box(const float *__restrict a, float *__restrict b, int n, int m, int l) {
    int x = BX * 32 + TX, y = BY * 4 + TY, z = BZ * 4 + TZ;
    if (x < 1 || x >= n - 1 || y < 1 || y >= m - 1 || z < 1 || z >= l - 1)
        return;
    float sum = 0;
#pragma unroll
    for (int k = -1; k <= 1; k++)
#pragma unroll
        for (int j = -1; j <= 1; j++)
#pragma unroll
            for (int i = -1; i <= 1; i++)
                sum += a[((z + k) * m + y + j) * n + x + i];
    b[(z * m + y) * n + x] = sum;
}
