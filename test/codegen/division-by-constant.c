// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A division by a constant becomes multiplications and fmas with the same bits, but for constants
// where that is not proven; with reciprocals allowed it becomes one multiplication.
// RUN: rm -rf %t && mkdir %t
// RUN: env STENCILOPT_SAVE_TEMPS=%t/exact %clang -O2 -ffp-contract=off -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: cat %t/exact/single.0.ptx %t/exact/twice.1.ptx | FileCheck %s -check-prefix=EXACT
// RUN: FileCheck %s -check-prefix=FRACTION < %t/exact/fraction.2.stencil
// RUN: FileCheck %s -check-prefix=LARGE < %t/exact/large.3.ptx
// RUN: env STENCILOPT_SAVE_TEMPS=%t/fast %clang -O2 -ffast-math -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: cat %t/fast/single.0.ptx %t/fast/twice.1.ptx %t/fast/large.3.ptx | FileCheck %s -check-prefix=FAST
//
// EXACT-NOT: div.
// EXACT: fma.rn.f32
// EXACT-NOT: div.
// EXACT: fma.rn.f64
// EXACT-NOT: div.
// FRACTION: = fma(bitcast.f64(and({{.*}}fma(5, {{.*}}, fmul({{.*}}, -2)){{.*}}, -0.2{{.*}}, {{.*}})
// LARGE: div.rn.f32
// FAST-NOT: div.
// FAST-NOT: fma.rn.f{{32|64}}
#define SWEEP(NAME, REAL, DIVISOR)                                                                 \
    void NAME(int n, int steps, REAL A[2][n][n]) {                                                 \
        for (int t = 0; t < steps; t++)                                                            \
            for (int i = 1; i < n - 1; i++)                                                        \
                for (int j = 1; j < n - 1; j++)                                                    \
                    A[(t + 1) % 2][i][j] =                                                         \
                        (A[t % 2][i - 1][j] + A[t % 2][i][j - 1] + A[t % 2][i][j] +                \
                         A[t % 2][i][j + 1] + A[t % 2][i + 1][j]) /                                \
                        (REAL)(DIVISOR);                                                           \
    }
SWEEP(single, float, 118)
SWEEP(twice, double, 118)
SWEEP(fraction, double, 2.5)
SWEEP(large, float, 1e30)
