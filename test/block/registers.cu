// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Neighbours from other lanes' registers.
// RUN: %to-sm_90 | %opt -passes='stencil-block<cache=reg;coarsen=2>' -S | FileCheck %s --check-prefix=ROWS
// RUN: %to-sm_90 | %opt -passes='stencil-block<cache=reg;load=cyclic;coarsen=1>' -S | FileCheck %s --check-prefix=CYCLIC
// RUN: %to-sm_90 | %opt -passes='stencil-block<cache=reg;wave=2d;coarsen=1>' -S | FileCheck %s --check-prefix=PLANE
// RUN: %to-gfx90a | %opt -passes='stencil-block<cache=reg;wave=2d;coarsen=1>' -S | FileCheck %s --check-prefix=WIDE
#include "Inputs/gpu.h"

// By rows, two cells a lane: four rows, of which the middle two have neighbours along x: each is one
// load more, by the outermost lanes, and one shift to each side. The others need no exchange.
// ROWS-LABEL: define {{.*}} @star(
// ROWS: call i32 @llvm.nvvm.shfl.sync.up
// ROWS: ret void
// ROWS: {{^}}interior:
// ROWS-NOT: shfl
// ROWS: load float
// ROWS-NOT: shfl
// ROWS: load float
// ROWS: icmp eq i32 %{{.*}}, 31
// ROWS: load float
// ROWS: %[[SIDE:.*]] = phi float [ %{{.*}}, %{{.*}} ], [ 0.000000e+00
// ROWS: %[[UP:.*]] = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %{{.*}}, i32 1, i32 0)
// ROWS: icmp eq i32 %{{.*}}, 0
// ROWS: select i1 %{{.*}}, i32 %{{.*}}, i32 %[[UP]]
// ROWS: call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %{{.*}}, i32 1, i32 31)
// ROWS: call i32 @llvm.nvvm.shfl.sync.up.i32
// ROWS: call i32 @llvm.nvvm.shfl.sync.down.i32
// ROWS-NOT: shfl
// ROWS: ret void

// Cyclic, a row of 34 cells to a plane: two registers, and one exchange of the chosen one.
// CYCLIC-LABEL: define {{.*}} @star(
// CYCLIC: {{^}}interior:
// CYCLIC: urem i32 %{{.*}}, 34
// CYCLIC: icmp ult i32 %{{.*}}, 2
// CYCLIC: select i1
// CYCLIC: call i32 @llvm.nvvm.shfl.sync.idx.i32
// CYCLIC-COUNT-1: call i32 @llvm.nvvm.shfl.sync.idx.i32
// CYCLIC-NOT: shfl
// CYCLIC: ret void

// 8x4 lanes have a tile of 10x6 cells, its corners left out: two registers. GPU-UniCache figure 7:
// the lane's own cell is at F = 11, and 10 cells on in the next row.
// PLANE-LABEL: define {{.*}} @star(
// PLANE: urem i32 %{{.*}}, 8
// PLANE: {{^}}interior:
// PLANE: urem i32 %{{.*}}, 10
// PLANE: lshr i32 {{-?[0-9]+}}, %
// PLANE: %[[ROW:.*]] = udiv i32 %{{.*}}, 8
// PLANE: %[[SHIFT:.*]] = mul i32 %[[ROW]], 2
// PLANE: call i32 @llvm.nvvm.shfl.sync.idx.i32
// PLANE: ret void

// A block whose width is not known may be of 32 lanes, half of a wave.
// WIDE-LABEL: define {{.*}} @star(
// WIDE: urem i32 %{{.*}}, 4
// WIDE: {{^}}interior:
// WIDE: urem i32 %{{.*}}, 10
// WIDE: call i32 @llvm.amdgcn.ds.bpermute(
KERNEL star(const float *__restrict a, float *__restrict b, int n, int m) {
    int x = BX * WX + TX, y = BY * WY + TY;
    if (x > 0 && x < n - 1 && y > 0 && y < m - 1)
        b[y * n + x] = a[y * n + x] + a[y * n + x - 1] + a[y * n + x + 1] + a[(y - 1) * n + x] + a[(y + 1) * n + x];
}

// Neighbours two cells away come around the wave: the friend is chosen, and what it sends.
// ROWS-LABEL: define {{.*}} @wide(
// ROWS: {{^}}interior:
// ROWS: icmp sge i32 %[[LANE:.*]], 30
// ROWS: load double
// ROWS: %[[SENT:.*]] = select i1 %{{.*}}, double
// ROWS: %[[FRIEND:.*]] = add i32 %[[LANE]], 30
// ROWS: bitcast double %[[SENT]] to i64
// ROWS: call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %{{.*}}, i32 %[[FRIEND]], i32 31)
// ROWS: call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %{{.*}}, i32 %[[FRIEND]], i32 31)
// ROWS-COUNT-6: call i32 @llvm.nvvm.shfl.sync.idx.i32
// ROWS-NOT: shfl
// ROWS: ret void
KERNEL wide(const double *__restrict a, double *__restrict b, int n) {
    int x = BX * WX + TX;
    if (x > 1 && x < n - 2)
        b[x] = a[x - 2] + a[x - 1] + a[x] + a[x + 1] + a[x + 2];
}

// Two registers with cells of 16 bits go in one exchange.
// PLANE-LABEL: define {{.*}} @small(
// PLANE: {{^}}interior:
// PLANE: shl i32 %{{.*}}, 16
// PLANE-NEXT: or i32
// PLANE-NEXT: call i32 @llvm.nvvm.shfl.sync.idx.i32
// PLANE: select i1 %{{.*}}, i32 16, i32 0
// PLANE: lshr i32
// PLANE-NEXT: trunc i32
KERNEL small(const short *__restrict a, short *__restrict b, int n, int m) {
    int x = BX * WX + TX, y = BY * WY + TY;
    if (x > 0 && x < n - 1 && y > 0 && y < m - 1)
        b[y * n + x] = a[y * n + x - 1] ^ a[y * n + x + 1] ^ a[(y - 1) * n + x] ^ a[(y + 1) * n + x];
}
