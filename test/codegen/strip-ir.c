// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strips: vector loads, a loop of several levels with a shuffle to either side for each, vector
// stores; nothing in scratchpad, no barrier, no asynchronous copy, so sm_75 has it too. Coefficients
// are loaded before the loop, or where they do not fit into registers, in it.
// DEFINE: %{build} = %clang -O2 -ffp-contract=off -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: rm -rf %t && env STENCILOPT_SAVE_TEMPS=%t STENCILOPT_BT=16 STENCILOPT_CELLS=16 STENCILOPT_ARCH=sm_75 %{build} -Rpass-analysis=stencil 2>&1 | FileCheck %s -check-prefix=REMARK
// RUN: FileCheck %s -check-prefix=PLAN < %t/line.0.plan
// RUN: FileCheck %s < %t/line.0.ptx
// RUN: FileCheck %s -check-prefix=NONE < %t/line.0.ptx
// RUN: %opt -passes=verify -S %t/line.0.ll | FileCheck %s -check-prefix=IR
// RUN: FileCheck %s -check-prefix=KEEP < %t/conduct.1.ptx
// RUN: rm -rf %t && env STENCILOPT_SAVE_TEMPS=%t STENCILOPT_BT=8 STENCILOPT_CELLS=32 STENCILOPT_WARPS=2 %{build}
// RUN: FileCheck %s -check-prefix=LOADED-PLAN < %t/many.2.plan
// RUN: FileCheck %s -check-prefix=LOADED < %t/many.2.ptx
// REMARK: plan: bT 16, tile 480, 4 warps, 16 cells a lane; predicted {{[0-9]+}} GCells/s, bound by
// PLAN: stencil_cell
// PLAN-NEXT: stencil_strip16: bT 16, tile 480, 4 warps, 16 cells a lane, 4 levels a round, 32 lanes;
// PLAN-NEXT: stencil_strip8: bT 8, tile 496
// PLAN-NEXT: stencil_strip4: bT 4, tile 496
// PLAN-NEXT: stencil_strip2: bT 2, tile 496
// PLAN-NOT: strip
// IR: define ptx_kernel void @stencil_strip16(ptr %{{[0-9]+}}, ptr %{{[0-9]+}}, ptr %{{[0-9]+}}, i64 %{{[0-9]+}}, float %{{[0-9]+}})
// IR: levels:
// IR-COUNT-8: shfl.sync
// IR-NOT: shfl.sync
// IR: br i1 %{{[0-9]+}}, label %levels, label %after
// IR: border.levels:
// IR-COUNT-2: shfl.sync
// IR-NOT: shfl.sync
// IR: br i1 %{{[0-9]+}}, label %border.levels
// CHECK: .visible .entry stencil_strip16
// CHECK-COUNT-4: ld.global.v4
// CHECK-COUNT-8: shfl.sync
// CHECK-COUNT-4: st.global.v4
// NONE-NOT: bar{{rier|[.]}}
// NONE-NOT: cp.async
// NONE-NOT: .shared
// NONE-NOT: .local
// KEEP: .visible .entry stencil_strip16
// KEEP-COUNT-8: ld.global.{{(nc[.])?}}v4
// KEEP: bra
// KEEP-NOT: ld.global.nc
// KEEP: ret;
// LOADED-PLAN: stencil_strip8: bT 8, tile 1008, 2 warps, 32 cells a lane, {{.*}}, coefficients loaded at each;
// LOADED: .visible .entry stencil_strip8
// LOADED: shfl.sync
// LOADED: ld.global.nc.v4
// LOADED: shfl.sync
// LOADED: ld.global.nc.v4
void line(int n, int steps, float A[2][n], float s) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            A[(t + 1) % 2][i] = s * A[t % 2][i - 1] + 0.3f * A[t % 2][i] + 0.2f * A[t % 2][i + 1];
}
void conduct(int n, int steps, float A[2][n], const float c[n]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            A[(t + 1) % 2][i] = c[i] * A[t % 2][i - 1] + 0.3f * A[t % 2][i] + 0.2f * A[t % 2][i + 1];
}
void many(int n, int steps, float A[2][n], const float c[n], const float d[n], const float e[n],
          const float f[n], const float g[n]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            A[(t + 1) % 2][i] = (c[i] * A[t % 2][i - 1] + d[i] * A[t % 2][i] + e[i]) *
                                (f[i] * A[t % 2][i + 1] + g[i]);
}
