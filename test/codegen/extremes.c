// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fmin and fmax of zeros: the GPU's instruction alone only where it takes the zero that the program's processor takes.
// RUN: rm -rf %t && mkdir %t && %clang --target=x86_64-linux-gnu -O2 -ffp-contract=off -ffreestanding -fpass-plugin=%plugin -mllvm -stencilopt-save-temps=%t -c %s -o %t.o
// RUN: cat %t/*.stencil | FileCheck %s
// RUN: rm -rf %t && mkdir %t && %clang --target=aarch64-linux-gnu -O2 -ffp-contract=off -ffreestanding -fpass-plugin=%plugin -mllvm -stencilopt-save-temps=%t -c %s -o %t.o
// RUN: cat %t/*.stencil | FileCheck %s --check-prefix=ORDERED
// RUN: rm -rf %t && mkdir %t && %clang --target=x86_64-linux-gnu -O2 -fno-signed-zeros -ffp-contract=off -ffreestanding -fpass-plugin=%plugin -mllvm -stencilopt-save-temps=%t -c %s -o %t.o
// RUN: cat %t/*.stencil | FileCheck %s --check-prefix=ORDERED
#define SWEEP(name, e)                                                                             \
    void name(int n, const float *restrict x, float *restrict y) {                                 \
        for (int i = 1; i < n - 1; i++) {                                                          \
            float a = x[i - 1], b = x[i + 1];                                                      \
            y[i] = e;                                                                              \
        }                                                                                          \
    }
#define MAX __builtin_fmaxf
#define MIN __builtin_fminf
#define ABS __builtin_fabsf
// ORDERED-NOT: select
// The first, unless the second is seen to be no NaN.
// CHECK-LABEL: stencil in a_first
// CHECK: = select(fcmp.oeq(B[0](-1), B[0](1)), B[0](-1), maxnum(B[0](-1), B[0](1)))
SWEEP(a_first, MAX(a, b))
// CHECK-LABEL: stencil in b_second
// CHECK: = fadd(select(fcmp.olt(B[0](-1), 0), B[0](-1), 0), B[0](1))
SWEEP(b_second, MIN(a, 0) + b)
// Where no zeros of both signs can meet, and where the one that is taken is the one of the instruction.
// CHECK-LABEL: stencil in c_apart
// CHECK-NOT: select
SWEEP(c_apart, MAX(a, 1) - MIN(b, -2))
// CHECK-LABEL: stencil in d_same
// CHECK-NOT: select
SWEEP(d_same, MAX(0, a) - MIN(b, -0.0f))
// CHECK-LABEL: stencil in e_signs
// CHECK-NOT: select
SWEEP(e_signs, MAX(ABS(a), ABS(b)) + MAX(a * a, b))
