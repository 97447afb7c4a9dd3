// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where each step ends with a copy back, both buffers have the halo of the array copied to: no loop
// loads the boundary of the other one. Where two arrays take turns, their halos may differ.
// RUN: rm -rf %t && env STENCILOPT_SAVE_TEMPS=%t STENCILOPT_BT=2 %clang -O2 -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: FileCheck %s -check-prefix=COPIED < %t/copied.0.ll
// RUN: FileCheck %s -check-prefix=TURNS < %t/turns.1.ll
// COPIED: void @stencil_stream2(
// COPIED: {{^}}inner:
// COPIED: {{^}}border.held:
// COPIED-NOT: border.loaded
// TURNS: void @stencil_stream2(
// TURNS: {{^}}border.held:
// TURNS: {{^}}border.loaded:
#define SWEEP(to, from)                                                                            \
    for (int i = 1; i < n - 1; i++)                                                                \
        for (int j = 1; j < m - 1; j++)                                                            \
    (to)[i * m + j] = 0.25f * ((from)[(i - 1) * m + j] + (from)[(i + 1) * m + j] +                 \
                               (from)[i * m + j - 1] + (from)[i * m + j + 1])

void copied(int n, int m, int steps, float *a, float *b) {
    for (int t = 0; t < steps; t++) {
        SWEEP(b, a);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i * m + j] = b[i * m + j];
    }
}

void turns(int n, int m, int steps, float *a, float *b) {
    for (int t = 0; t < steps; t++) {
        SWEEP(b, a);
        float *was = a;
        a = b;
        b = was;
    }
}
