// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that are only read come through the read-only cache; each load stands for one cell that the
// program reads, and in a tile of cells rows come once, by vectors; nothing goes to local memory.
// RUN: rm -rf %t && env STENCILOPT_SAVE_TEMPS=%t %clang -O2 -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: FileCheck %s < %t/f.0.ptx
// RUN: FileCheck %s -check-prefix=TILE < %t/f.0.ptx
// RUN: grep -c ld.global.nc.v4.b32 %t/f.0.ptx | FileCheck %s -check-prefix=ROWS
// RUN: grep -c ld.global.nc.b32 %t/f.0.ptx | FileCheck %s -check-prefix=CELLS
// RUN: FileCheck %s -check-prefix=PLAN < %t/f.0.plan
// RUN: FileCheck %s -check-prefix=LOCAL < %t/f.0.ptx
// LOCAL-NOT: {{[.]local|ld[.]param.*ptr.*[.]local|[{]call}}
// CHECK: .visible .entry stencil_cell
// CHECK-NOT: ld.global.{{[^n]}}
// CHECK: st.global.b32
// PLAN: a thread has 4x1x1 cells
// ROWS: {{^}}3{{$}}
// CELLS: {{^}}7{{$}}
// TILE: st.global.v4.b32
void f(int n, const float a[n][n], float b[n][n]) {
    for (int j = 1; j < n - 1; j++)
        for (int i = 1; i < n - 1; i++)
            b[j][i] = a[j - 1][i] + a[j + 1][i] + a[j][i - 1] + a[j][i + 1] - a[j][i];
}
