// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that are not to be optimised stay as they are.
// RUN: %clang -O2 -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O0 -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// CHECK-NOT: stencilopt
__attribute__((optnone, noinline)) void f(int n, const float *a, float *b) {
    for (int i = 1; i < n - 1; i++)
        b[i] = a[i - 1] + a[i + 1];
}
