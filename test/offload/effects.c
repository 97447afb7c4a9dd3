// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What was inferred before a function called the runtime holds no more, for its callers neither.
// RUN: %clang -O1 -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// CHECK: define {{.*}} @sweep({{.*}} #[[S:[0-9]+]]
// CHECK: define {{.*}} @caller({{.*}} #[[C:[0-9]+]]
// CHECK: attributes #[[S]] = { noinline nounwind {{(uwtable )?}}"
// CHECK: attributes #[[C]] = { nounwind {{(uwtable )?}}"
__attribute__((noinline)) void sweep(int n, const float *a, float *b) {
    for (int i = 1; i < n - 1; i++)
        b[i] = a[i - 1] + a[i + 1];
}
int caller(int n, const float *a, float *b) {
    sweep(n, a, b);
    return n;
}
