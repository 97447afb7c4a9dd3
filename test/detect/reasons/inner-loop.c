// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over the taps that survive at -O1 are named as the reason; -O2 unrolls them.
// RUN: %clang -O1 -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %clang -O2 -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -c %s -o /dev/null 2>&1 | FileCheck %s -check-prefix=O2
// CHECK: inner-loop.c:[[@LINE+5]]:9: remark: loop nest not offloaded: a loop inside the nest computes each element
// O2: inner-loop.c:[[@LINE+4]]:9: remark: 2-D stencil of radius 1
void blur(int n, int m, const float *restrict in, float *restrict out, const float *w) {
#define N 3
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) {
            float s = 0;
            for (int p = 0; p < N; p++)
                for (int q = 0; q < N; q++)
                    s += w[p * N + q] * in[(i + p - 1) * m + j + q - 1];
            out[i * m + j] = s;
        }
}
