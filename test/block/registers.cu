// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Neighbours from other lanes' registers: exchanges in the code of the interior and the border.
// RUN: %to-sm_90 | %opt -passes='stencil-block<cache=reg;coarsen=2>' -S | %code-sm_90 -o - | FileCheck %s --check-prefix=ROWS
// RUN: %to-sm_90 | %opt -passes='stencil-block<cache=reg;load=cyclic;coarsen=1>' -S | %code-sm_90 -o - | FileCheck %s --check-prefix=CYCLIC
// RUN: %to-sm_90 | %opt -passes='stencil-block<cache=reg;wave=2d;coarsen=1>' -S | %code-sm_90 -o - | FileCheck %s --check-prefix=PLANE
// RUN: %to-gfx90a | %opt -passes='stencil-block<cache=reg;coarsen=2>' -S | %code-gfx90a -o - | FileCheck %s --check-prefix=GFX9
// RUN: %to-gfx942 | %opt -passes='stencil-block<cache=reg;coarsen=2>' -S | %code-gfx942 -o - | FileCheck %s --check-prefix=GFX9
// RUN: %to-gfx1100 | %opt -passes='stencil-block<cache=reg;coarsen=2>' -S | %code-gfx1100 -o - | FileCheck %s --check-prefix=GFX11
// RUN: %to-gfx1201 | %opt -passes='stencil-block<cache=reg;coarsen=2>' -S | %code-gfx1201 -o - | FileCheck %s --check-prefix=GFX11
// RUN: %to-gfx90a | %opt -passes='stencil-block<cache=reg;load=cyclic;coarsen=1>' -S | %code-gfx90a -o - | FileCheck %s --check-prefix=PERMUTE
// RUN: %to-gfx1201 | %opt -passes='stencil-block<cache=reg;load=cyclic;coarsen=1>' -S | %code-gfx1201 -o - | FileCheck %s --check-prefix=PERMUTE
#include "Inputs/gpu.h"

// By rows, two cells a lane: four rows, two of which have neighbours along x, each one shift away.
// ROWS-LABEL: .entry star(
// ROWS-COUNT-8: shfl.sync.{{up|down}}.b32
// ROWS-NOT: shfl.sync
// GFX9-LABEL: {{^}}star:
// GFX9-NOT: ds_bpermute
// GFX9-COUNT-8: {{wave_shr|wave_shl}}:1
// GFX9-NOT: {{wave_sh|ds_bpermute}}
// GFX9: s_endpgm
// GFX11-LABEL: {{^}}star:
// GFX11-COUNT-8: {{row_shr|row_shl}}:1
// GFX11-NOT: {{row_sh|ds_bpermute}}
// GFX11: s_endpgm

// Cyclic, 34 cells of a row in two registers: the cell before the lane's own is in the lane itself,
// the others are one exchange away.
// CYCLIC-LABEL: .entry star(
// CYCLIC-COUNT-4: shfl.sync.idx.b32
// CYCLIC-NOT: shfl.sync
// PERMUTE-LABEL: {{^}}star:
// PERMUTE-COUNT-4: ds_bpermute_b32
// PERMUTE-NOT: ds_bpermute_b32
// PERMUTE: s_endpgm

// 8x4 lanes, 10x6 cells in two registers: lanes of different rows may have the same friend, so
// all five cells come from both.
// PLANE-LABEL: .entry star(
// PLANE-COUNT-20: shfl.sync.idx.b32
// PLANE-NOT: shfl.sync
KERNEL star(const float *__restrict a, float *__restrict b, int n, int m) {
    int x = BX * WX + TX, y = BY * WY + TY;
    if (x > 0 && x < n - 1 && y > 0 && y < m - 1)
        b[y * n + x] = a[y * n + x] + a[y * n + x - 1] + a[y * n + x + 1] + a[(y - 1) * n + x] + a[(y + 1) * n + x];
}

// Neighbours two cells away come around the wave, a double in two exchanges.
// CYCLIC-LABEL: .entry wide(
// PLANE-LABEL: .entry wide(
// ROWS-LABEL: .entry wide(
// ROWS-COUNT-16: shfl.sync.idx.b32
// ROWS-NOT: shfl.sync
KERNEL wide(const double *__restrict a, double *__restrict b, int n) {
    int x = BX * WX + TX;
    if (x > 1 && x < n - 2)
        b[x] = a[x - 2] + a[x - 1] + a[x] + a[x + 1] + a[x + 2];
}

// Cells of 16 bits from two registers in one exchange.
// ROWS-LABEL: .entry small(
// PLANE-LABEL: .entry small(
// PLANE-COUNT-8: shfl.sync.idx.b32
// PLANE-NOT: shfl.sync
KERNEL small(const short *__restrict a, short *__restrict b, int n, int m) {
    int x = BX * WX + TX, y = BY * WY + TY;
    if (x > 0 && x < n - 1 && y > 0 && y < m - 1)
        b[y * n + x] = a[y * n + x - 1] ^ a[y * n + x + 1] ^ a[(y - 1) * n + x] ^ a[(y + 1) * n + x];
}
