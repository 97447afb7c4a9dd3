// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop over neighbours that is unrolled for us, in a nest that the function starts with.
// RUN: %clang -O1 -fpass-plugin=%plugin -Rpass=stencil -S -emit-llvm %s -o %t.ll 2>&1 | FileCheck %s
// RUN: %opt -passes=verify -disable-output %t.ll
float a[1000], b[1000];
const float w[7] = {1, 2, 3, 4, 5, 6, 7};
void f(void) {
    // CHECK: taps-at-entry.c:[[@LINE+1]]:5: remark: 1-D stencil of radius 3, 7 cells read
    for (int i = 3; i < 997; i++) {
        float s = 0;
        for (int k = -3; k <= 3; k++)
            s += w[k + 3] * a[i + k];
        b[i] = s;
    }
}
