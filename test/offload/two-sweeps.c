// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two sweeps in a time loop of T iterations are 2 * T time steps, where that many can be counted.
// RUN: %clang -O2 -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// CHECK-LABEL: @f(
// CHECK: [[STEPS:%.*]] = shl nuw i64 %0, 1
// CHECK: icmp ult i64 %0, 1152921504606846977
// CHECK: call i1 @stencilopt.ready(i64 %{{.*}}, i64 1, i64 1, i64 [[STEPS]])
// CHECK: call i1 @stencilopt.enter(
// CHECK-NOT: call i1 @stencilopt.enter(
void f(long T, int n, float *a, float *b) {
    for (long t = 0; t < T; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = a[i - 1] + a[i + 1];
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i - 1] + b[i + 1];
    }
}
