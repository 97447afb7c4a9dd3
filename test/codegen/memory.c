// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that are only read come through the read-only cache; each load stands for one cell that the
// program reads; nothing goes to local memory.
// RUN: rm -rf %t && env STENCILOPT_SAVE_TEMPS=%t %clang -O2 -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: FileCheck %s < %t/f.0.ptx
// RUN: FileCheck %s -check-prefix=LOCAL < %t/f.0.ptx
// LOCAL-NOT: {{[.]local|ld[.]param.*ptr.*[.]local|[{]call}}
// CHECK: .visible .entry stencil_cell
// CHECK-COUNT-5: ld.global.nc.b32
// CHECK-NOT: ld.global
// CHECK: st.global.b32
// CHECK-NOT: st.global
void f(int n, const float a[n][n], float b[n][n]) {
    for (int j = 1; j < n - 1; j++)
        for (int i = 1; i < n - 1; i++)
            b[j][i] = a[j - 1][i] + a[j + 1][i] + a[j][i - 1] + a[j][i + 1] - a[j][i];
}
