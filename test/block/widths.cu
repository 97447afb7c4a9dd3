// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that are told the radius or the mask's width: the versions that are made, and where none is.
// RUN: %clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_90 -Wno-unknown-cuda-version \
// RUN:   -O2 -I %S/../detect/kernels -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -S %s -o %t.s 2>&1 | FileCheck %s
// RUN: %clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_90 -Wno-unknown-cuda-version \
// RUN:   -O2 -I %S/../detect/kernels -S -emit-llvm %s -o - | %opt -passes='print<stencil>' -disable-output 2>&1 | FileCheck %s --check-prefix=PRINT
// RUN: FileCheck %s --check-prefix=LIMIT < %t.s
#include "Inputs/gpu.h"

// All threads of a processor fit, as with the kernel's own body.
// LIMIT: .entry box(
// LIMIT: .maxnreg 32

// CHECK: widths.cu:[[@LINE+3]]:1: remark: kernel blocked where argument 5 is 1, 2, 3 or 4, with its loops over neighbours unrolled; neighbours from L1, vectors of 4 cells, 1 cell a thread along y
// PRINT: where argument 5 is 1:
// PRINT: stencil in box: rank 2, one sweep
KERNEL box(const float *a, float *b, int n, int m, int r) {
    int x = BX * WX + TX, y = BY * WY + TY;
    if (x < r || y < r || x >= n - r || y >= m - r)
        return;
    float s = 0;
    for (int j = -r; j <= r; j++)
        for (int i = -r; i <= r; i++)
            s += a[(y + j) * n + x + i];
    b[y * n + x] = s;
}

// Half of an argument is used: it is a width, and widths are odd. More than 128 reads, coefficients among them, are too many.
// CHECK: widths.cu:[[@LINE+1]]:1: remark: kernel blocked where argument 6 is 3, 5 or 7, with its loops over neighbours unrolled
KERNEL mask(const float *a, const float *c, float *b, int n, int m, int w) {
    int x = BX * WX + TX, y = BY * WY + TY, r = w / 2;
    if (x < r || y < r || x >= n - r || y >= m - r)
        return;
    float s = 0;
    for (int j = 0; j < w; j++)
        for (int i = 0; i < w; i++)
            s += a[(y + j - r) * n + x + i - r] * c[j * w + i];
    b[y * n + x] = s;
}

// CHECK: widths.cu:[[@LINE+1]]:1: remark: kernel blocked where argument 6 and argument 5 are both 2, 3, 4 or 5, with
KERNEL two(const float *a, float *b, int n, int m, int w, int h) {
    int x = BX * WX + TX, y = BY * WY + TY;
    if (x + w > n || y + h > m)
        return;
    float s = 0;
    for (int j = 0; j < h; j++)
        for (int i = 0; i < w; i++)
            s += a[(y + j) * n + x + i];
    b[y * n + x] = s;
}

// Coefficients and sums of doubles would spill, if a thread had several cells.
// CHECK: widths.cu:[[@LINE+1]]:1: remark: loops over neighbours unrolled where argument 6 is 3, 5 or 7; nothing is gained by blocking it
KERNEL doubles(const double *a, const double *c, double *b, int n, int m, int w) {
    int x = BX * WX + TX, y = BY * WY + TY, r = w / 2;
    if (x < r || y < r || x >= n - r || y >= m - r)
        return;
    double s = 0;
    for (int j = 0; j < w; j++)
        for (int i = 0; i < w; i++)
            s += a[(y + j - r) * n + x + i - r] * c[j * w + i];
    b[y * n + x] = s;
}

// How many neighbours there are is read from memory.
// CHECK: widths.cu:[[@LINE+2]]:1: remark: kernel left as it is: a loop in it goes over something else than cells, and how often is only known when the kernel runs
// PRINT: no stencil in stored: KernelCount
KERNEL stored(const float *a, float *b, const int *reach, int n, int m) {
    int x = BX * WX + TX, y = BY * WY + TY, r = reach[x];
    if (x < r || y < r || x >= n - r || y >= m - r)
        return;
    float s = 0;
    for (int j = -r; j <= r; j++)
        s += a[(y + j) * n + x];
    b[y * n + x] = s;
}

// A width that may be negative: its versions gain nothing.
// CHECK: widths.cu:[[@LINE+1]]:1: remark: kernel left as it is: nothing is gained by blocking it (it halves a width that may be negative
KERNEL halved(const float *a, float *b, int n, int m, int w) {
    int x = BX * WX + TX, y = BY * WY + TY, r = w / 2;
    if (x >= n || y >= m)
        return;
    float s = 0;
    for (int i = -r; i < r + 1; i++)
        for (int j = -r; j < r + 1; j++)
            if (y + i > -1 && y + i < m && x + j > -1 && x + j < n)
                s += a[(y + i) * n + x + j];
    b[y * n + x] = s;
}

// Versions are stencils of one dimension, of which blocking gains nothing.
// CHECK: widths.cu:[[@LINE+1]]:1: remark: loops over neighbours unrolled where argument 4 is 1, 2, 3, 4 or 5; nothing is gained by blocking it
KERNEL line(const float *a, float *b, int n, int r) {
    int x = BX * WX + TX;
    if (x < r || x >= n - r)
        return;
    float s = 0;
    for (int i = -r; i <= r; i++)
        s += a[x + i];
    b[x] = s;
}

// Neighbours more than a cell away, each under its own condition along x, are not brought in by vectors. Whether the loop
// stores the cell each time does not matter.
// CHECK: widths.cu:[[@LINE+1]]:1: remark: kernel blocked where argument 6 is 1, with its loops over neighbours unrolled; neighbours from L1, vectors of 4 cells, 1 cell a thread along y; loops unrolled alone where it is 2, 3, 4 or 5
KERNEL each_time(const float *a, const float *c, float *b, int n, int m, int r) {
    int x = BX * WX + TX, y = BY * WY + TY;
    if (x >= n || y >= m)
        return;
    float s = 0;
    for (int k = -r; k <= r; k++) {
        if (x + k >= 0 && x + k < n)
            s += a[y * n + x + k] * c[k + r];
        b[y * n + x] = s;
    }
}

// CHECK: widths.cu:[[@LINE+1]]:1: remark: kernel blocked where argument 6 is 1, with {{.*}}; loops unrolled alone where it is 2, 3, 4 or 5
KERNEL once(const float *a, const float *c, float *b, int n, int m, int r) {
    int x = BX * WX + TX, y = BY * WY + TY;
    if (x >= n || y >= m)
        return;
    float s = 0;
    for (int k = -r; k <= r; k++)
        if (x + k >= 0 && x + k < n)
            s += a[y * n + x + k] * c[k + r];
    b[y * n + x] = s;
}

// Conditions along y alone are the same for all cells of a vector.
// CHECK: widths.cu:[[@LINE+1]]:1: remark: kernel blocked where argument 6 is 2, 3, 4 or 5, with
KERNEL along_y(const float *__restrict__ a, const float *__restrict__ c, float *__restrict__ b, int n, int m, int w) {
    int x = BX * WX + TX, y = BY * WY + TY;
    if (x >= n || y >= m)
        return;
    b[y * n + x] = 0;
    for (int k = 0; k < w; k++)
        if (y - k >= 0)
            b[y * n + x] += a[(y - k) * n + x] * c[k];
}
