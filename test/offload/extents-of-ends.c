// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditions on narrow indices near the ends of loops are decided at compile time, for no index is required to be in
// its type's range: extents below 2^29 see to it that none wraps. So the extents are checked before the loops; 536870909 is
// 2^29 less the 3 cells that a loop has at least.
// RUN: %clang -O2 -fpass-plugin=%plugin -mllvm -stencilopt-code=0 -S -emit-llvm %s -o - -Rpass=stencil -Rpass-missed=stencil 2>%t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s < %t.remarks

// CHECK-LABEL: @clamped(
// CHECK: icmp ult i32 %{{.*}}, 536870909
// CHECK: call i1 @stencilopt.enter(
// REMARK: [[#@LINE+2]]:5: remark: 1-D stencil of radius 1
void clamped(int n, float *restrict to, const float *restrict from) {
    for (int i = 0; i < n; i++) {
        int before = i > 0 ? i - 1 : 0, after = i < n - 1 ? i + 1 : n - 1;
        to[i] = from[before] + from[after];
    }
}

// The sum i + n - 1 is below 2^30.
// CHECK-LABEL: @around(
// CHECK: icmp ult i32 %{{.*}}, 536870909
// CHECK: call i1 @stencilopt.enter(
// REMARK: [[#@LINE+2]]:5: remark: 1-D stencil of radius 1
void around(unsigned n, float *restrict to, const float *restrict from) {
    for (unsigned i = 0; i < n; i++)
        to[i] = from[(i + n - 1) % n] + from[(i + 1) % n];
}

// Five extents may wrap below 2^29, so nothing is decided here.
// CHECK-LABEL: @around_often(
// CHECK-NOT: @stencilopt.enter(
// REMARK: [[#@LINE+2]]:5: remark: {{.*}}not
void around_often(unsigned n, float *restrict to, const float *restrict from) {
    for (unsigned i = 0; i < n; i++)
        to[i] = from[(i + 5 * n - 1) % n] + from[(i + 1) % n];
}
// CHECK-LABEL: @stencilopt.
