// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose threads compute several cells: which the model blocks.
// RUN: %clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_90 -Wno-unknown-cuda-version \
// RUN:   -O3 -I %S/../detect/kernels -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -S %s -o %t.s 2>&1 | FileCheck %s
#include "Inputs/gpu.h"

#define SUM a[i - 1] + a[i + 1] + a[i - n] + a[i + n]
#define ROWS(count)                                                                                \
    int x = BX * WX + TX, from = (BY * WY + TY) * count;                                           \
    for (int k = 0; k < count; k++) {                                                              \
        int y = from + k, i = y * n + x;                                                           \
        if (x > 0 && y > 0 && x < n - 1 && y < m - 1)                                              \
            b[i] = SUM;                                                                            \
    }
#define CELL                                                                                       \
    int x = BX * WX + TX, y = BY * WY + TY, i = y * n + x;                                         \
    if (x < 1 || y < 1 || x >= n - 1 || y >= m - 1)                                                \
        return
#define PAIR                                                                                       \
    b[2 * i] = a[2 * i - 2] + a[2 * i + 2] + a[2 * (i - n)];                                       \
    b[2 * i + 1] = a[2 * i - 1] + a[2 * i + 3] + a[2 * (i - n) + 1]

// CHECK: several.cu:[[@LINE+1]]:1: remark: kernel blocked: 2-D stencil, 4 cells read, f32; neighbours from L1, vectors of 4 cells, 4 cells a thread along y
KERNEL four(const float *a, float *b, int n, int m) { ROWS(4) }
// CHECK: several.cu:[[@LINE+1]]:1: remark: kernel left as it is: nothing is gained by blocking it
KERNEL four_wide(const double *a, double *b, int n, int m) { ROWS(4) }
// CHECK: several.cu:[[@LINE+1]]:1: remark: kernel left as it is: nothing is gained by blocking it
KERNEL eight(const float *a, float *b, int n, int m) { ROWS(8) }

// Its reads cannot be joined: b may be a.
// CHECK: several.cu:[[@LINE+1]]:1: remark: kernel blocked: 2-D stencil, 3 cells read, f64; neighbours from L1, vectors of 2 cells, 1 cell a thread along y
KERNEL pairs(const double *a, double *b, int n, int m) {
    CELL;
    PAIR;
}
// CHECK: several.cu:[[@LINE+1]]:1: remark: kernel left as it is: nothing is gained by blocking it
KERNEL pairs_apart(const double *__restrict__ a, double *__restrict__ b, int n, int m) {
    CELL;
    PAIR;
}
// CHECK: several.cu:[[@LINE+1]]:1: remark: kernel left as it is: nothing is gained by blocking it
KERNEL bytes(const char *a, char *b, int n, int m) {
    CELL;
    PAIR;
}
// A vector of two doubles is too short for three components.
// CHECK: several.cu:[[@LINE+1]]:1: remark: kernel left as it is: blocking does not support how its threads are mapped to cells (a thread computes more cells already than it would)
KERNEL triples(const double *a, double *b, int n, int m) {
    CELL;
    for (int k = 0; k < 3; k++)
        b[3 * i + k] = a[3 * i - 3 + k] + a[3 * i + 3 + k] + a[3 * (i - n) + k];
}
