// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A maximum that leaves out what is no number, as Fortran's maxval does. Another condition beside the comparison is none.
// RUN: %clang -O2 -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
#define CELLS                                                                                      \
    for (int i = 0; i < n; i++)                                                                    \
        for (int j = 0; j < m; j++)

double greatest(int n, int m, const double a[n][m]) {
    double s = a[0][0];
    // CHECK: extremes-and-nans.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sweep for 1 value of all cells runs on a GPU where there is one
    CELLS s = (a[i][j] > s) | ((s != s) & (a[i][j] == a[i][j])) ? a[i][j] : s;
    return s;
}

double least(int n, int m, const double a[n][m]) {
    double s = a[0][0];
    // CHECK: extremes-and-nans.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D sweep for 1 value of all cells runs on a GPU where there is one
    CELLS s = ((a[i][j] == a[i][j]) & (s != s)) | (a[i][j] < s) ? a[i][j] : s;
    return s;
}

double greatest_below(int n, int m, const double a[n][m]) {
    double s = a[0][0];
    // CHECK: extremes-and-nans.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the loop writes no array element
    CELLS s = (a[i][j] > s) | ((s > 3) & (a[i][j] < 3)) ? a[i][j] : s;
    return s;
}
