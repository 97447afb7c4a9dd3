// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over a part of an array that bring indices back at the ends of the whole one.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
// RUN: %clang -O2 -ffp-contract=off -fopenmp -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=OPENMP %s
void periodic(int first, int last, int n, int m, double *restrict b, const double *a) {
#pragma omp parallel for
    for (int i = first; i < last; i++)
        // CHECK: spans.c:[[#@LINE+2]]:9: remark: 2-D stencil of radius 1, 3 cells read, f64, runs on a GPU where there is one
        // OPENMP: spans.c:[[#@LINE+1]]:9: remark: 2-D stencil of radius 1, 3 cells read, f64, runs on a GPU where there is one
        for (int j = 0; j < m; j++) {
            int up = i == 0 ? n - 1 : i - 1, down = i == n - 1 ? 0 : i + 1;
            b[i * m + j] = a[up * m + j] + a[down * m + j] - a[i * m + j];
        }
}

// To a last cell, in both dimensions; indices are clamped.
void clamped(int top, int bottom, int left, int right, int n, int m, float *restrict b, const float *a) {
    for (int i = top; i <= bottom; i++)
        // CHECK: spans.c:[[#@LINE+1]]:9: remark: 2-D stencil of radius 1, 4 cells read, f32, runs on a GPU where there is one
        for (int j = left; j <= right; j++) {
            int up = i > 0 ? i - 1 : 0, down = i < n - 1 ? i + 1 : n - 1, west = j > 0 ? j - 1 : 0, east = j < m - 1 ? j + 1 : m - 1;
            b[i * m + j] = a[up * m + j] + a[i * m + east] - a[i * m + west] * a[down * m + j];
        }
}

// Comes round at one end, which is all that tells where the other one is.
void one_end(int first, int last, int n, int m, double *restrict b, const double *a) {
    for (int i = 0; i < n; i++)
        // CHECK: spans.c:[[#@LINE+1]]:9: remark: 2-D stencil of radius 1, 2 cells read, f64, runs on a GPU where there is one
        for (int j = first; j < last; j++)
            b[i * m + j] = a[i * m + (j == 0 ? m - 1 : j - 1)] + a[i * m + j];
}

// A number that no counter may be: nothing is an end.
void farthest(long first, long last, long n, long m, double *restrict b, const double *a) {
    for (long i = first; i < last; i++)
        // CHECK: spans.c:[[#@LINE+1]]:9: remark: loop nest not offloaded: the address of an array access is not a linear function of the loop variables
        for (long j = 0; j < m; j++) {
            long up = i == (-0x7fffffffffffffff - 1) ? n - 1 : i - 1;
            b[i * m + j] = a[up * m + j] + a[i * m + j];
        }
}
