// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nests that store under a condition, with no other access to the cells.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s

void sweep(int n, int m, double *a, const double *b, const int *mask) {
    // CHECK: masked.c:[[#@LINE+1]]:5: remark: 2-D sweep of 1 output runs on a GPU
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            if (mask[i * m + j])
                a[i * m + j] = b[i * m + j - 1] + b[(i + 1) * m + j];
}

void clipped(int n, int m, float (*a)[m], float (*b)[m]) {
    // CHECK: masked.c:[[#@LINE+1]]:5: remark: 2-D sweep of 1 output runs on a GPU
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++)
            if (b[i][j] > b[i][j - 1])
                a[i][j] = b[i][j];
}

// Cells are read that an iteration before may have written.
void in_place(int n, int m, float (*a)[m], const int (*mask)[m]) {
    for (int i = 0; i < n; i++)
        // CHECK: masked.c:[[#@LINE+1]]:9: remark: loop nest not offloaded: the nest reads neighbours from the array it writes
        for (int j = 1; j < m; j++)
            if (mask[i][j])
                a[i][j] = a[i][j - 1] * 2;
}
