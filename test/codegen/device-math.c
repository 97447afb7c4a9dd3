// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: cuda-toolkit
// A library function, where the program allows an approximation or an option admits it: libdevice's,
// linked in, so that the driver needs nothing else.
// RUN: rm -rf %t && mkdir %t
// RUN: env STENCILOPT_SAVE_TEMPS=%t/fast %clang -O2 -ffast-math -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: FileCheck %s < %t/fast/f.0.ptx
// RUN: env STENCILOPT_SAVE_TEMPS=%t/option STENCILOPT_DEVICE_MATH=1 %clang -O2 -fno-math-errno -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: FileCheck %s < %t/option/f.0.ptx
// CHECK-NOT: .extern
// CHECK: ex2.approx
// CHECK-NOT: call
void f(int n, const float *a, float *b) {
    for (int i = 1; i < n - 1; i++)
        b[i] = __builtin_expf(a[i - 1]) + a[i + 1];
}
