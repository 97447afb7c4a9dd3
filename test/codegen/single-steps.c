// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the blocked kernels leave over, single steps, is made by the cell kernel where its threads have tiles and it
// is predicted to be as fast as a stream of one step. Elsewhere, or if bT is given, that stream is compiled too.
// RUN: rm -rf %t && env STENCILOPT_SAVE_TEMPS=%t %clang -O2 -fpass-plugin=%plugin -mllvm -stencilopt-code=0 -c %s -o /dev/null
// RUN: FileCheck %s < %t/plate.0.plan
// RUN: rm -rf %t && env STENCILOPT_SAVE_TEMPS=%t STENCILOPT_ARCH=gfx90a %clang -O2 -fpass-plugin=%plugin -mllvm -stencilopt-code=0 -c %s -o /dev/null
// RUN: FileCheck %s -check-prefix=BOTH < %t/plate.0.plan
// RUN: rm -rf %t && env STENCILOPT_SAVE_TEMPS=%t STENCILOPT_BT=2 %clang -O2 -fpass-plugin=%plugin -mllvm -stencilopt-code=0 -c %s -o /dev/null
// RUN: FileCheck %s -check-prefix=BOTH < %t/plate.0.plan
// CHECK: stencil_cell: a thread a cell, {{.*}}of large grids a thread has
// CHECK: stencil_stream2: bT 2
// CHECK-NOT: stencil_stream1:
// BOTH: stencil_cell
// BOTH: stencil_stream2: bT 2
// BOTH: stencil_stream1: bT 1
void plate(int n, int m, int steps, float A[2][n][m]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                A[(t + 1) % 2][i][j] =
                    0.2f * A[t % 2][i - 1][j] + 0.1f * A[t % 2][i][j - 1] + 0.3f * A[t % 2][i][j] +
                    0.1f * A[t % 2][i][j + 1] + 0.2f * A[t % 2][i + 1][j];
}
