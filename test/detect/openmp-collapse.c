// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that OpenMP's collapse makes one are loops for each dimension again.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fopenmp -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=remark:
#define SWAP { double *c = a; a = b; b = c; }

void collapsed(int n, int m, int steps, double *a, double *b) {
    for (int t = 0; t < steps; t++) {
        // CHECK: openmp-collapse.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D stencil of radius 1, 2 cells read, f64, runs on a GPU where there is one: the whole time loop
#pragma omp parallel for collapse(2)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i * m + j] = a[i * m - m + j] + a[i * m + j + 1];
        SWAP
    }
}

// A divisor of no collapsed loop.
void taken_apart_otherwise(int n, int m, int w, double *a, double *b) {
    // CHECK: openmp-collapse.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the loop reads no neighbours of a cell: not a stencil
#pragma omp parallel for
    for (long c = 0; c < (long)n * m; c++)
        b[c / w * 2 * w + c % w] = a[c / w * 2 * w + c % w + 1];
}

void collapsed_dynamically(int n, int m, double *a, double *b) {
    // CHECK: openmp-collapse.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D stencil of radius 1
#pragma omp parallel for collapse(2) schedule(dynamic)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            b[i * m + j] = a[i * m - m + j] + a[i * m + j + 1];
}
