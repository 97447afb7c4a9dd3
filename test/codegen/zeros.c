// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A choice between zeros does not become a minimum or maximum, which may give the other zero.
// RUN: rm -rf %t && mkdir %t && %clang -O2 -ffp-contract=off -fpass-plugin=%plugin -mllvm -stencilopt-save-temps=%t -c %s -o %t.o
// RUN: cat %t/relu.*.ptx | FileCheck %s --check-prefix=MAX
// RUN: cat %t/cap.*.ptx | FileCheck %s --check-prefix=MIN
// RUN: cat %t/low.*.ptx | FileCheck %s --check-prefix=CHOICE
// RUN: cat %t/turned.*.ptx | FileCheck %s --check-prefix=CHOICE
// RUN: %clang -O2 -ffast-math -fpass-plugin=%plugin -mllvm -stencilopt-save-temps=%t -c %s -o %t.o
// RUN: cat %t/low.*.ptx | FileCheck %s --check-prefix=MIN
// MAX: max.f32
// MIN: min.f32
// CHOICE-NOT: {{max|min}}.f32
// CHOICE: selp.f32
// CHOICE-NOT: {{max|min}}.f32
#define SWEEP(name, e)                                                                             \
    void name(int n, const float *a, float *b) {                                                   \
        for (int i = 1; i < n - 1; i++) {                                                          \
            float x = a[i - 1];                                                                    \
            b[i] = (e) + a[i + 1];                                                                 \
        }                                                                                          \
    }
SWEEP(relu, x > 0 ? x : 0)
SWEEP(cap, x < 1 ? x : 1)
SWEEP(low, x < 0 ? x : 0)
SWEEP(turned, 0 > x ? 0 : x)
