// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All optimisation levels but -O0 offload; the result is valid at each, with debug information and in the
// pipelines before linking.
// RUN: %clang -O1 -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O2 -g -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O3 -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -Os -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -Oz -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O2 -flto -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O2 -flto=thin -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// CHECK: call i1 @stencilopt.enter(
void f(int n, const float *a, float *b) {
    for (int i = 1; i < n - 1; i++)
        b[i] = a[i - 1] + a[i + 1];
}
