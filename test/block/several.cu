// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose threads compute several cells, or several outputs, or read what they write: which the model blocks.
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

// Several outputs: small stencils of floats in 2-D, where no test is needed that ranges of arrays lie apart.
// CHECK: several.cu:[[@LINE+1]]:1: remark: kernel blocked: 2-D stencil, 4 cells read, f32; neighbours from L1, vectors of 4 cells, 1 cell a thread along y
KERNEL gradient(const float *__restrict__ a, float *__restrict__ b, float *__restrict__ c, int n, int m) {
    CELL;
    b[i] = a[i + 1] - a[i - 1];
    c[i] = a[i + n] - a[i - n];
}
// If c were a row of a, two threads would race for it.
// CHECK: several.cu:[[@LINE+1]]:1: remark: kernel blocked: 2-D stencil, 4 cells read, f32; neighbours from L1, vectors of 4 cells, 1 cell a thread along y
KERNEL gradient_may_overlap(const float *a, float *b, float *c, int n, int m) {
    CELL;
    b[i] = a[i + 1] - a[i - 1];
    c[i] = a[i + n] - a[i - n];
}
// CHECK: several.cu:[[@LINE+1]]:1: remark: kernel blocked: 2-D stencil, 8 cells read, f32; neighbours from L1, vectors of 4 cells, 1 cell a thread along y
KERNEL gradient_of_boxes(const float *a, float *b, float *c, int n, int m) {
    CELL;
    b[i] = a[i - n + 1] + 2 * a[i + 1] + a[i + n + 1] - a[i - n - 1] - 2 * a[i - 1] - a[i + n - 1];
    c[i] = a[i + n - 1] + 2 * a[i + n] + a[i + n + 1] - a[i - n - 1] - 2 * a[i - n] - a[i - n + 1];
}
// Whether b is c is one comparison.
// CHECK: several.cu:[[@LINE+1]]:1: remark: kernel blocked: 2-D stencil, {{.*}}vectors of 4 cells, 1 cell a thread along y
KERNEL subtracted_gradient(const float *a, float *b, float *c, int n, int m) {
    CELL;
    b[i] -= a[i + 1] - a[i - 1];
    c[i] -= a[i + n] - a[i - n];
}
// CHECK: several.cu:[[@LINE+1]]:1: remark: kernel left as it is: {{.*}}several outputs
KERNEL gradient_of_other_rows(const float *a, float *b, float *c, int n, int m, int p) {
    CELL;
    b[y * p + x] = a[i + 1] - a[i - 1];
    c[y * p + x] = a[i + n] - a[i - n];
}
// CHECK: several.cu:[[@LINE+1]]:1: remark: kernel left as it is: nothing is gained by blocking it
KERNEL gradient_wide(const double *__restrict__ a, double *__restrict__ b, double *__restrict__ c, int n, int m) {
    CELL;
    b[i] = a[i + 1] - a[i - 1];
    c[i] = a[i + n] - a[i - n];
}
// CHECK: several.cu:[[@LINE+1]]:1: remark: kernel left as it is: nothing is gained by blocking it
KERNEL four_outputs(const float *__restrict__ a, float *__restrict__ b, float *__restrict__ c, float *__restrict__ d, float *__restrict__ e, int n, int m) {
    CELL;
    b[i] = a[i + 1];
    c[i] = a[i - 1];
    d[i] = a[i + n];
    e[i] = a[i - n];
}
// Outputs with guards of their own: rows, since each cell of a vector would be read by a condition.
// CHECK: several.cu:[[@LINE+1]]:1: remark: kernel blocked: 2-D stencil, 6 cells read, f32; neighbours from L1, 4 cells a thread along y
KERNEL fluxes(const float *__restrict__ a, const float *__restrict__ d, float *__restrict__ b, float *__restrict__ c, int n, int m) {
    int x = BX * WX + TX, y = BY * WY + TY, i = y * n + x;
    if (x > 0 && y > 0 && x < n - 1 && y < m - 2)
        b[i] = a[i] + a[i + n] + d[i] + d[i + n];
    if (x > 0 && y > 0 && x < n - 2 && y < m - 1)
        c[i] = a[i] + a[i + 1] + d[i] + d[i + 1];
}
// CHECK: several.cu:[[@LINE+1]]:1: remark: kernel left as it is: {{.*}}it writes only where a condition holds
KERNEL fluxes_wide(const double *__restrict__ a, const double *__restrict__ d, double *__restrict__ b, double *__restrict__ c, int n, int m) {
    int x = BX * WX + TX, y = BY * WY + TY, i = y * n + x;
    if (x > 0 && y > 0 && x < n - 1 && y < m - 2)
        b[i] = a[i] + a[i + n] + d[i] + d[i + n];
    if (x > 0 && y > 0 && x < n - 2 && y < m - 1)
        c[i] = a[i] + a[i + 1] + d[i] + d[i + 1];
}
// Rows of one array between each other are not measured.
// CHECK: several.cu:[[@LINE+1]]:1: remark: kernel left as it is: {{.*}}several outputs
KERNEL fluxes_between(const float *__restrict__ a, float *__restrict__ b, int n, int m) {
    int x = BX * WX + TX, y = BY * WY + TY, i = 2 * y * n + x;
    if (x < 1 || y < 1 || x >= n - 1)
        return;
    if (y < m)
        b[i] = a[i - 1] + a[i + 1] + a[i - n];
    if (y < m - 1 && x > 3)
        b[i + n] = a[i + n - 1] - a[i + n + 1];
}
// A guard by values is another matter.
// CHECK: several.cu:[[@LINE+1]]:1: remark: kernel left as it is: {{.*}}it writes only where a condition holds
KERNEL fluxes_by_value(const float *__restrict__ a, const float *__restrict__ d, float *__restrict__ b, float *__restrict__ c, int n, int m) {
    CELL;
    b[i] = a[i] + a[i + n] + d[i] + d[i + n];
    if (d[i] > 0)
        c[i] = a[i] + a[i + 1] + d[i] + d[i + 1];
}
// Planes of one array are compared in each thread.
// CHECK: several.cu:[[@LINE+1]]:1: remark: kernel left as it is: nothing is gained by blocking it
KERNEL flat_planes(const float *__restrict__ a, float *__restrict__ b, int n, int m) {
    int i = BX * WX + TX, x = i % n, y = i / n;
    if (x < 1 || y < 1 || x >= n - 1 || y >= m - 1)
        return;
    b[i] = a[i + 1] - a[i - 1];
    b[n * m + i] = a[i + n] - a[i - n];
}

// The own cell of the array that is written is read.
// CHECK: several.cu:[[@LINE+1]]:1: remark: kernel blocked: 2-D stencil, 3 cells read, f32; neighbours from L1, vectors of 4 cells, 1 cell a thread along y
KERNEL own(const float *__restrict__ a, float *__restrict__ b, int n, int m) {
    CELL;
    b[i] -= a[i] - a[i - 1];
}
// CHECK: several.cu:[[@LINE+1]]:1: remark: kernel left as it is: nothing is gained by blocking it
KERNEL own_wide(const double *__restrict__ a, double *__restrict__ b, int n, int m) {
    CELL;
    b[i] -= a[i] - a[i - 1];
}

// Conditions at the ends of rows: in 3-D they take what vectors gain.
// CHECK: several.cu:[[@LINE+1]]:1: remark: kernel blocked: 2-D stencil, 3 cells read, f32; neighbours from L1, vectors of 4 cells, 1 cell a thread along y
KERNEL walls(const float *__restrict__ a, float *__restrict__ b, int n, int m) {
    int x = BX * WX + TX, y = BY * WY + TY, i = y * n + x;
    if (x >= n || y >= m)
        return;
    float s = a[i];
    if (x > 0)
        s += a[i - 1];
    if (y > 0)
        s += a[i - n];
    b[i] = s;
}
// CHECK: several.cu:[[@LINE+1]]:1: remark: kernel left as it is: nothing is gained by blocking it
KERNEL walls_of_planes(const float *__restrict__ a, float *__restrict__ b, int n, int m, int planes) {
    int x = BX * WX + TX, y = BY * WY + TY, z = BZ * WZ + TZ, i = (z * m + y) * n + x;
    if (x >= n || y >= m || z >= planes)
        return;
    float s = a[i];
    if (x > 0)
        s += a[i - 1];
    if (z > 0)
        s += a[i - n * m];
    b[i] = s;
}
