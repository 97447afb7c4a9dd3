// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of products by OpenMP's reductions, as clang compiles them by default: a product that is added may be one operation.
// RUN: %clang -O2 -gline-tables-only -fopenmp -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=remark:

#define ROWS for (int i = 1; i < n - 1; i++)
#define CELLS for (int j = 1; j < n - 1; j++)
#define AT(a, i, j) a[(long)(i) * n + (j)]

double applies(int n, const double *restrict p, double *restrict w) {
    double pw = 0;
#pragma omp parallel for reduction(+ : pw)
    // CHECK: openmp-products.c:[[#@LINE-1]]:{{[0-9]+}}: remark: 2-D sweep of 1 output runs on a GPU
    ROWS CELLS {
        AT(w, i, j) = 5 * AT(p, i, j) - AT(p, i - 1, j) - AT(p, i + 1, j);
        pw += AT(w, i, j) * AT(p, i, j);
    }
    return pw;
}

// The sum is a factor, not what the product is added to.
float multiplies(int n, const float *restrict p, float *restrict w) {
    float most = 0;
#pragma omp parallel for reduction(+ : most)
    // CHECK: openmp-products.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: it runs in an OpenMP parallel region that reduces otherwise
    ROWS CELLS {
        AT(w, i, j) = AT(p, i, j) + AT(p, i - 1, j);
        most = most * AT(p, i, j) + AT(p, i + 1, j);
    }
    return most;
}
