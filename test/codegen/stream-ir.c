// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocking of time steps: asynchronous copies ahead, one pair of shuffles a level and plane, no
// barrier in 2-D; in 3-D warps wait for their neighbours, or where there are too many, or a row's
// neighbours are further than these, for the block.
// RUN: rm -rf %t && env STENCILOPT_SAVE_TEMPS=%t STENCILOPT_BT=4 %clang -O2 -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: FileCheck %s -check-prefix=PLAN < %t/plate.0.plan
// RUN: FileCheck %s < %t/plate.0.ptx
// RUN: FileCheck %s -check-prefix=NONE < %t/plate.0.ptx
// RUN: FileCheck %s -check-prefix=CUBE < %t/cube.1.ptx
// RUN: FileCheck %s -check-prefix=PAIRS < %t/cube.1.ptx
// RUN: env STENCILOPT_SAVE_TEMPS=%t STENCILOPT_BT=2 STENCILOPT_WARPS=20 STENCILOPT_ROWS=1 %clang -O2 -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: FileCheck %s -check-prefix=BLOCK < %t/cube.1.ptx
// PLAN: stencil_cell
// PLAN: stencil_stream4: bT 4, tile 120x1
// PLAN: stencil_stream2: bT 2, tile 120x1
// PLAN: stencil_stream1: bT 1
// CHECK: .visible .entry stencil_stream4
// CHECK: cp.async.cg.shared.global
// CHECK: cp.async.wait_group
// CHECK: ld.shared.v4
// CHECK-COUNT-8: shfl.sync
// CHECK: st.global.v4
// NONE-NOT: bar{{rier|[.](sync|cta|red)}}
// NONE-NOT: .local
// CUBE: .visible .entry stencil_stream4
// PAIRS: barrier.sync {{%r[0-9]+}}, 64;
// PAIRS-NOT: bar.sync
// BLOCK: .visible .entry stencil_stream2
// BLOCK: bar.sync 0;
// BLOCK-NOT: , 64;
void plate(int n, int m, int steps, float A[2][n][m]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                A[(t + 1) % 2][i][j] = 0.2f * A[t % 2][i - 1][j] + 0.1f * A[t % 2][i][j - 1] +
                                       0.3f * A[t % 2][i][j] + 0.1f * A[t % 2][i][j + 1] +
                                       0.2f * A[t % 2][i + 1][j];
}
void cube(int n, int m, int l, int steps, float A[2][n][m][l]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                for (int k = 1; k < l - 1; k++)
                    A[(t + 1) % 2][i][j][k] =
                        0.1f * A[t % 2][i - 1][j][k] + 0.2f * A[t % 2][i][j - 1][k] +
                        0.3f * A[t % 2][i][j][k - 1] + 0.1f * A[t % 2][i][j][k + 1] +
                        0.2f * A[t % 2][i][j + 1][k] + 0.1f * A[t % 2][i + 1][j][k];
}
