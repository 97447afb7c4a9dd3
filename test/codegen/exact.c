// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Division and square root are those that IEEE 754 rounds correctly, denormal numbers are kept.
// RUN: rm -rf %t && env STENCILOPT_SAVE_TEMPS=%t %clang -O2 -ffp-contract=off -fno-math-errno -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: cat %t/f.0.ptx %t/g.1.ptx | FileCheck %s
// CHECK-NOT: approx
// CHECK-NOT: ftz
// CHECK-DAG: sqrt.rn.f32
// CHECK-DAG: div.rn.f32
// CHECK-NOT: approx
// CHECK-NOT: ftz
// CHECK-DAG: sqrt.rn.f64
// CHECK-DAG: div.rn.f64
// CHECK-NOT: approx
// CHECK-NOT: ftz
void f(int n, const float *a, float *b) {
    for (int i = 1; i < n - 1; i++)
        b[i] = __builtin_sqrtf(a[i - 1]) / a[i + 1];
}
void g(int n, const double *a, double *b) {
    for (int i = 1; i < n - 1; i++)
        b[i] = __builtin_sqrt(a[i - 1]) / a[i + 1];
}
