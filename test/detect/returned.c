// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a sweep without a time loop makes of all its cells, and the function returns.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --check-prefixes=CHECK,STRICT --implicit-check-not=remark: %s
// RUN: %clang -O3 -ffast-math -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --check-prefixes=CHECK,FREE --implicit-check-not=remark: %s
#include <math.h>

#define CELLS                                                                                      \
    for (int i = 1; i < n - 1; i++)                                                                \
        for (int j = 1; j < m - 1; j++)
#define MEAN 0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] + a[i * m + j + 1])

double change(int n, int m, double *restrict b, const double *restrict a) {
    double most = 0;
    // CHECK: returned.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sweep of 1 output runs on a GPU where there is one
    CELLS {
        double v = MEAN, d = fabs(v - a[i * m + j]);
        if (d > most)
            most = d;
        b[i * m + j] = v;
    }
    return most;
}
// Several of one nest, given through pointers.
void range(int n, int m, double *b, const double *a, double *low, double *high, int *warm) {
    double least = 1e30, most = -1e30;
    int count = 0;
    // CHECK: returned.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sweep of 1 output runs on a GPU where there is one
    CELLS {
        double v = MEAN;
        least = v < least ? v : least;
        most = v > most ? v : most;
        count += v > 1;
        b[i * m + j] = v;
    }
    *low = least;
    *high = most;
    *warm = count;
}
double residual(int n, int m, double *restrict b, const double *restrict a) {
    double sum = 0;
    // FREE: returned.c:[[#@LINE+2]]:{{[0-9]+}}: remark: 2-D sweep of 1 output runs on a GPU where there is one
    // STRICT: returned.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: {{.*}}floating-point numbers are added up, so that the order of the cells matters; -ffast-math, or
    CELLS {
        double v = MEAN, d = v - a[i * m + j];
        b[i * m + j] = v;
        sum += d * d;
    }
    return sqrt(sum);
}
// The last cell's value is no value of all cells.
double last(int n, int m, double *restrict b, const double *restrict a) {
    double v = 0;
    // CHECK: returned.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: a value computed in the nest is used after it
    CELLS {
        v = MEAN;
        b[i * m + j] = v;
    }
    return v;
}
