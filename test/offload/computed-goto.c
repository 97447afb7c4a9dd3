// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function whose blocks have their addresses taken is never copied: the copy's blocks are others, and the table of
// addresses would go on naming blocks that are gone. Sweeps there run one by one.
// RUN: %clang -O2 -w -DCASE=1 %s -o %t.plain && %t.plain > %t.expected
// RUN: %clang -O2 -w -fpass-plugin=%plugin -mllvm -stencilopt-code=0 -Rpass=stencil -DCASE=1 %s -o %t.1 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: %t.1 | diff - %t.expected
// RUN: %clang -O1 -w -fpass-plugin=%plugin -mllvm -stencilopt-code=0 -DCASE=2 %s -o %t.2 && %t.2 | diff - %t.expected
// The near miss: another function jumps so; and nothing does.
// RUN: %clang -O2 -w -fpass-plugin=%plugin -mllvm -stencilopt-code=0 -Rpass=stencil -DCASE=3 %s -o %t.3 2>&1 | FileCheck %s --check-prefix=TOGETHER
// RUN: %t.3 | diff - %t.expected
// RUN: %clang -O2 -w -fpass-plugin=%plugin -mllvm -stencilopt-code=0 -Rpass=stencil -DCASE=4 %s -o %t.4 2>&1 | FileCheck %s --check-prefix=TOGETHER
// RUN: %t.4 | diff - %t.expected
// ALONE-NOT:    sequence of
// ALONE:        one sweep a call
// ALONE-NOT:    sequence of
// TOGETHER:     2-D sequence of 3 sweeps runs on a GPU
#include <stdio.h>

enum { N = 64 };
static float a[N * N], b[N * N], out;
static const int program[] = {0, 0, 0, 1};

#if CASE == 2
#define SUM(x)                                                                                                                             \
    for (int k = -1; k <= 1; k++)                                                                                                          \
        if (k)                                                                                                                             \
            s += x[(i + k) * n + j] + x[i * n + j + k];
#else
#define SUM(x) s = x[(i - 1) * n + j] + x[(i + 1) * n + j] + x[i * n + j - 1] + x[i * n + j + 1];
#endif
#define SWEEP(x, y)                                                                                                                        \
    for (int i = 1; i < n - 1; i++)                                                                                                        \
        for (int j = 1; j < n - 1; j++) {                                                                                                  \
            float s = 0;                                                                                                                   \
            SUM(x)                                                                                                                         \
            y[i * n + j] = 0.25f * s;                                                                                                      \
        }
#define RUN_PROGRAM                                                                                                                        \
    static void *const labels[] = {&&add, &&halt};                                                                                         \
    goto *labels[*next++];                                                                                                                 \
    add:                                                                                                                                   \
    *sum += 1;                                                                                                                             \
    goto *labels[*next++];                                                                                                                 \
    halt:                                                                                                                                  \
    return;

__attribute__((noinline)) void sweeps(float *a, float *b, int n, const int *next, float *sum) {
    SWEEP(a, b) SWEEP(b, a) SWEEP(a, b)
#if CASE <= 2
    RUN_PROGRAM
#endif
}

__attribute__((noinline)) void interpret(const int *next, float *sum) {
#if CASE == 3
    RUN_PROGRAM
#elif CASE == 4
    while (!*next++)
        *sum += 1;
#endif
}

int main(void) {
    for (int i = 0; i < N * N; i++)
        a[i] = i % 17, b[i] = i % 5;
    sweeps(a, b, N, program, &out);
    interpret(program, &out);
    printf("%g %g\n", out, b[N * 5 + 7]);
}
