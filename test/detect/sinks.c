// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM makes one store of the last stores on two ways, be they to different arrays. Each way gets its store again.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
void edges(int n, int m, double (*restrict u)[m], double (*restrict v)[m],
           const double (*restrict a)[m], const double (*restrict b)[m]) {
    // CHECK: sinks.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sweep of 2 outputs runs on a GPU
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (i == 0 || i == n - 1 || j == 0 || j == m - 1) {
                v[i][j] = 0;
                u[i][j] = 0;
            } else {
                u[i][j] = a[i][j] + b[i - 1][j] - b[i + 1][j];
                v[i][j] = b[i][j] + a[i][j - 1] - a[i][j + 1];
            }
        }
}

// The programmer's choice of an array stays one.
void chosen(int n, int m, const int *which, double (*u)[m], double (*v)[m], double (*a)[m]) {
    for (int i = 1; i < n - 1; i++)
        // CHECK: sinks.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the address of an array access is not a linear function
        for (int j = 1; j < m - 1; j++) {
            double(*to)[m] = which[j] ? u : v;
            to[i][j] = a[i][j - 1] + a[i][j + 1];
        }
}
