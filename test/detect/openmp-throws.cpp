// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that may throw in a parallel region, which ends the program if it does: the function that the region's body is
// put into needs the body's way to handle exceptions.
// RUN: %clang++ -O3 -gline-tables-only -fopenmp -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s

double dot(int n, const double *a, const double *b);

double run(int n, int steps, double *p, double *t, double *x) {
    double sum = 0;
    for (int k = 0; k < steps; k++) {
        double s = 0;
#pragma omp parallel for reduction(+ : s)
        for (int i = 1; i < n; i++)
            s += dot(n, p + i * n, t + i * n);
        sum += s;
#pragma omp parallel for
        // CHECK: openmp-throws.cpp:[[#@LINE-1]]:{{[0-9]+}}: remark: 1-D stencil of radius 1, 2 cells read
        for (int i = 1; i < n; i++)
            x[i] = p[i] + p[i - 1];
    }
    return sum;
}
