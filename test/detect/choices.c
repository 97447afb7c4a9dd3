// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Neighbours that conditions on cells choose.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
// RUN: %clang -O3 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
// RUN: rm -rf %t.dir
// RUN: %clang -O2 -ffp-contract=off -fpass-plugin=%plugin -S -emit-llvm -c %s -o /dev/null -mllvm -stencilopt-save-temps=%t.dir
// RUN: cat %t.dir/bit.*.stencil | FileCheck --check-prefix=MODEL %s

#define CELLS                                                                                      \
    for (int i = 2; i < n - 2; i++)                                                                \
        for (int j = 2; j < m - 2; j++)
#define PLATE int n, int m, const float *restrict a, float *restrict b, const float *restrict u

// Both cells are read, and one of them is taken.
// MODEL: reads B[0]: (-1,0)? (0,0)?
void bit(PLATE) {
    // CHECK: choices.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sweep of 1 output runs on a GPU
    CELLS
        b[i * m + j] = a[i * m + j - (u[i * m + j] > 0)];
}
void index_of_two(PLATE) {
    // CHECK: choices.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sweep of 1 output runs on a GPU
    CELLS {
        int k = u[i * m + j] > 0 ? i - 1 : i + 1;
        b[i * m + j] = a[k * m + j] * u[k * m + j];
    }
}
void branches(PLATE) {
    // CHECK: choices.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sweep of 1 output runs on a GPU
    CELLS {
        int far, near;
        if (u[i * m + j] > 0)
            far = j - 2, near = j - 1;
        else
            far = j + 1, near = j;
        b[i * m + j] = a[i * m + near] - a[i * m + far] / u[i * m + near];
    }
}
void steps(int n, int m, int t, float *a, float *b, const float *u) {
    // CHECK: choices.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D time loop of 1 sweep runs on a GPU where there is one, bT
    for (int s = 0; s < t; s++) {
        CELLS
            b[i * m + j] = a[i * m + j - (u[i * m + j] > 0)];
        float *was = a;
        a = b;
        b = was;
    }
}
// What an index chooses is no rule at the ends.
void by_index(int n, int m, const float *restrict a, float *restrict b) {
    // CHECK: choices.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sweep of 1 output runs on a GPU
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int here = i * m + j;
            b[here] = i < n - 1 && j > 0 ? a[here + m - 1] : a[here + 2 * n * m];
        }
}
void two_rules(int n, const float *a, float *restrict b) {
    // CHECK: choices.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D sweep of 1 output runs on a GPU
    for (int i = 0; i < n; i++)
        b[i] = a[i] + a[i > 0 ? i - 1 : 0] + a[i > 1 ? i - 2 : n - 1];
}
void from_elsewhere(int n, const float *a, float *restrict b) {
    // CHECK: choices.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D sweep of 1 output runs on a GPU
    for (int i = 0; i < n; i++)
        b[i] = a[i] + a[i > 0 ? i - 1 : 5];
}
void by_index_or_number(int n, int m, const int *by, const float *restrict a, float *restrict b) {
    for (int i = 0; i < n; i++)
        // CHECK: choices.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the address of an array access is not a linear function of the loop variables
        for (int j = 0; j < m; j++)
            b[i * m + j] = a[i > 3 ? by[i * m + j] : i * m + j + 1];
}
// Which cell, a number in memory says.
void by_number(PLATE, const int *by) {
    // CHECK: choices.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the address of an array access is not a linear function of the loop variables
    CELLS
        b[i * m + j] = a[i * m + j - by[i * m + j]];
}
// More than four conditions: the number of cells doubles with each.
void by_many(PLATE) {
    // CHECK: choices.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the address of an array access is not a linear function of the loop variables (it is chosen by more than four conditions)
    CELLS {
        const float *c = u + i * m + j;
        b[i * m + j] = a[i * m + j - (c[0] > 0) - (c[1] > 0) - (c[2] > 0) - (c[-1] > 0) - (c[-2] > 0)];
    }
}
