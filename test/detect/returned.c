// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a sweep without a time loop makes of all its cells, and the function returns.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
// RUN: %clang -O3 -ffast-math -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
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
    // CHECK: returned.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sweep of 1 output runs on a GPU where there is one
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
// Nests that write no array.
int cells_above(int n, int m, const double *a, double limit) {
    int count = 0;
    // CHECK: returned.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sweep for 1 value of all cells runs on a GPU where there is one
    CELLS
        count += a[i * m + j] > limit;
    return count;
}
double extremes(int n, int m, const double *a, double *least) {
    double low = 1e30, high = -1e30;
    // CHECK: returned.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sweep for 2 values of all cells runs on a GPU where there is one
    CELLS {
        double v = MEAN;
        low = v < low ? v : low;
        high = v > high ? v : high;
    }
    *least = low;
    return high;
}
double product(int n, int m, const double *a, const double *b) {
    double sum = 0;
    // CHECK: returned.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sweep for 1 value of all cells runs on a GPU where there is one
    CELLS
        sum += a[i * m + j] * b[i * m + j];
    return sum;
}
// Not even under -ffast-math: each value is made of the one before.
double series(int n, int m, const double *a) {
    double v = 1;
    // CHECK: returned.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the loop writes no array element, and reduces no value over all cells to a maximum, minimum or sum: a loop in it writes no array, and what it hands from cell to cell is no maximum, minimum or sum
    CELLS
        v = v * a[i * m + j] + a[i * m + j + 1];
    return v;
}
// A vector's sum is not worth the way to a GPU, and nobody expects that.
double vector(int n, const double *a) {
    double most = 0;
    for (int i = 0; i < n; i++)
        most = a[i] > most ? a[i] : most;
    return most;
}
// Of some of the cells.
double wet(int n, int m, const double *a, const int *mask, int *cells) {
    double most = 0;
    int count = 0;
    // CHECK: returned.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sweep for 2 values of all cells runs on a GPU where there is one
    CELLS
        if (mask[i * m + j]) {
            double v = MEAN;
            most = v > most ? v : most;
            count += mask[i * m + j + 1];
        }
    *cells = count;
    return most;
}
double wet_sum(int n, int m, const double *a, const int *mask) {
    double sum = 0;
    // CHECK: returned.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sweep for 1 value of all cells runs on a GPU where there is one
    CELLS
        if (mask[i * m + j])
            sum += a[i * m + j + 1];
    return sum;
}
// The last of the cells that count, which depends on their order.
double last_wet(int n, int m, const double *a, const int *mask) {
    double v = 0;
    // CHECK: returned.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the loop writes no array element
    CELLS
        if (mask[i * m + j])
            v = a[i * m + j];
    return v;
}

// The first column is another iteration than the others.
double from_west(int n, int m, const double *a) {
    double sum = 0;
    // CHECK: returned.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sweep for 1 value of all cells runs on a GPU where there is one
    for (int i = 1; i < n - 1; i++)
        for (int j = 0; j < m; j++) {
            int west = j == 0 ? m - 1 : j - 1;
            sum += a[i * m + j] * a[i * m + west];
        }
    return sum;
}

// Nothing of the array is read but what is brought back at the ends: periodic, clamped, by modulo.
#define ALL                                                                                        \
    for (int i = 0; i < n; i++)                                                                    \
        for (int j = 0; j < m; j++)
double steepness(int n, int m, const double *a) {
    double sum = 0;
    // CHECK: returned.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sweep for 1 value of all cells runs on a GPU where there is one
    ALL {
        int up = i == 0 ? n - 1 : i - 1, down = i == n - 1 ? 0 : i + 1;
        int left = j == 0 ? m - 1 : j - 1, right = j == m - 1 ? 0 : j + 1;
        sum += fabs(a[down * m + j] - a[up * m + j]) + fabs(a[i * m + right] - a[i * m + left]);
    }
    return sum;
}
double greatest_step(int n, int m, const double *a) {
    double most = 0;
    // CHECK: returned.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sweep for 1 value of all cells runs on a GPU where there is one
    ALL {
        int up = i > 1 ? i - 2 : 0, right = j < m - 1 ? j + 1 : m - 1;
        double d = a[up * m + j] - a[i * m + right];
        most = d > most ? d : most;
    }
    return most;
}
int differing(int n, int m, const int *a) {
    int count = 0;
    // CHECK: returned.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sweep for 1 value of all cells runs on a GPU where there is one
    ALL count += a[(i + 1) % n * m + j] != a[i * m + (j + 1) % m];
    return count;
}
// No rule brings this index back.
int odd_ends(int n, int m, const int *a) {
    int count = 0;
    // CHECK: returned.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: {{.*}}
    ALL count += a[(i == 0 ? n / 2 : i - 1) * m + j] != a[(i == n - 1 ? 1 : i + 1) * m + j];
    return count;
}
