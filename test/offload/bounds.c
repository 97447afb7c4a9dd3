// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Divisions in bounds are done in front of the loops, also where the program may not come to them: so they
// must not trap there.
// RUN: %clang -O2 -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s

// CHECK-LABEL: @of_int(
// CHECK: [[ZERO:%.*]] = icmp eq i32 %3, 0
// CHECK: [[BAD:%.*]] = or i1 [[ZERO]],
// CHECK: [[SAFE:%.*]] = select i1 [[BAD]], i32 1, i32 %3
// CHECK: sdiv i32 %2, [[SAFE]]
// CHECK: call i1 @stencilopt.enter(
void of_int(int T, int n, int m, int d, float (*a)[n][m]) {
    for (int t = 0; t < T; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m / d; j++)
                a[(t + 1) % 2][i][j] = a[t % 2][i][j - 1] + a[t % 2][i][j + 1];
}
// CHECK-LABEL: @of_unsigned(
// CHECK: [[SAFE:%.*]] = {{.*}}call i32 @llvm.umax.i32(i32 %3, i32 1)
// CHECK: udiv i32 %2, [[SAFE]]
// CHECK: call i1 @stencilopt.enter(
void of_unsigned(int T, int n, unsigned m, unsigned d, float (*a)[n][m]) {
    for (int t = 0; t < T; t++)
        for (int i = 1; i < n - 1; i++)
            for (unsigned j = 1; j < m / d; j++)
                a[(t + 1) % 2][i][j] = a[t % 2][i][j - 1] + a[t % 2][i][j + 1];
}
// An index narrower than its bound: the loop ends if it does not wrap.
// CHECK-LABEL: @narrow(
// CHECK: icmp ult i64 {{.*}}, 4294967
// CHECK: call i1 @stencilopt.enter(
void narrow(unsigned long n, unsigned long k, const float *restrict a, float *restrict b) {
    for (unsigned i = 1; i < n - 1 - k; i++)
        b[i] = a[i - 1] + a[i + 1];
}
