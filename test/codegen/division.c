// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A division that the program does only under a condition must not make the compiler believe that
// the condition always holds: the choice stays in the code.
// RUN: rm -rf %t && env STENCILOPT_SAVE_TEMPS=%t %clang -O2 -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: FileCheck %s < %t/f.0.ptx
// RUN: FileCheck %s < %t/g.1.ptx
// CHECK: setp.eq.b32 [[ZERO:%p[0-9]+]], %r{{[0-9]+}}, 0
// CHECK: {{div|rem}}.{{[su]}}32
// CHECK: selp.b32 {{.*}}, [[ZERO]]
void f(int n, const int *restrict a, const int *restrict d, int *restrict b) {
    for (int i = 1; i < n - 1; i++)
        b[i] = a[i - 1] + a[i + 1] + (d[i] ? a[i - 1] / d[i] : 0);
}
void g(int n, const unsigned *restrict a, const unsigned *restrict d, unsigned *restrict b) {
    for (int i = 1; i < n - 1; i++)
        b[i] = a[i - 1] + a[i + 1] + (d[i] ? a[i - 1] % d[i] : 5);
}
