// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time loops whose outputs are loops, entered from the steps at once: LLVM puts no block in front of them.
// RUN: %clang -O1 -ffp-contract=off %s -o %t.plain
// RUN: %t.plain > %t.wanted
// RUN: %clang -O1 -ffp-contract=off -fpass-plugin=%plugin %s -o %t.O1
// RUN: env STENCILOPT_DEVICE=sim STENCILOPT_REPORT=1 %t.O1 > %t.got 2> %t.report
// RUN: diff %t.wanted %t.got
// RUN: FileCheck %s < %t.report
// RUN: %clang -O2 -ffp-contract=off -fpass-plugin=%plugin %s -o %t.O2
// RUN: env STENCILOPT_DEVICE=sim STENCILOPT_REPORT=1 %t.O2 > %t.got 2> %t.report
// RUN: diff %t.wanted %t.got
// RUN: FileCheck %s < %t.report
// CHECK: steps
#include <stdio.h>

#define CELLS 200
#define STEPS                                                                                      \
    for (int t = 0; t < steps; t++) {                                                              \
        float most = 0;                                                                            \
        for (int i = 1; i < n - 1; i++) {                                                          \
            b[i] = a[i - 1] + a[i + 1];                                                            \
            most = b[i] > most ? b[i] : most;                                                      \
        }                                                                                          \
        for (int i = 1; i < n - 1; i++)                                                            \
            a[i] = b[i];                                                                           \
        if (most > 3) {                                                                            \
            int j = 0;                                                                             \
            do {                                                                                   \
                printf("%g\n", a[j]);                                                              \
                j++;                                                                               \
            } while (j != shown);                                                                  \
        }                                                                                          \
    }

__attribute__((noinline)) void twice(int n, int steps, float *a, float *b, int shown) {
    STEPS
    for (int k = 0; k < 3; k++) {
        STEPS
    }
    STEPS
}

int main(void) {
    static float a[CELLS], b[CELLS];
    for (int i = 0; i < CELLS; i++)
        a[i] = (float)(i * 37 % 11) / 100;
    twice(CELLS, 5, a, b, 4);
    printf("%g %g\n", a[CELLS / 2], b[20]);
    return 0;
}
