// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel's IR: parameters in the order of region.h, tests against the extents, valid: of tiles of cells,
// and of single cells.
// RUN: rm -rf %t && env STENCILOPT_SAVE_TEMPS=%t %clang -O2 -ffp-contract=off -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: %opt -passes=verify -S %t/f.0.ll | FileCheck %s
// CHECK: target triple = "nvptx64-nvidia-cuda"
// CHECK: define ptx_kernel void @stencil_cell(ptr noalias %{{[0-9]+}}, ptr noalias readonly %{{[0-9]+}}, i64 %{{[0-9]+}}, i64 %{{[0-9]+}}, float %{{[0-9]+}}, i64 %{{[0-9]+}})
// CHECK: call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
// CHECK: icmp slt i64
// CHECK: tile:
// CHECK: load <4 x float>, ptr %{{[0-9]+}}, align 16
// CHECK: store <4 x float> %{{[0-9]+}}, ptr %{{[0-9]+}}, align 16
// CHECK: cell:
// CHECK: load float
// CHECK: load float
// CHECK: store float
// CHECK-NOT: store
void f(int n, float c, const float *a, float *b) {
    for (int i = 1; i < n - 1; i++)
        b[i] = c * a[i - 1] + a[i + 1];
}
