// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An accessor that reports an index that is out of range, and goes on.
// RUN: %clang++ -O3 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
extern "C" int report(int i, int j);
struct grid {
    int rows, columns;
    double *a;
    double slope(int i, int j) const {
        if (i < 0 || i >= rows || j < 0 || j >= columns) {
            report(i, j);
            return 0;
        }
        return a[(i + 1) * columns + j] + a[i * columns + j + 1] - 2 * a[i * columns + j];
    }
};
void step(double *b, const grid &g, int n, int m) {
    for (int i = 0; i < n; i++)
        // CHECK: reports.cpp:[[#@LINE+1]]:9: remark: 2-D stencil of radius 1, 3 cells read, f64, runs on a GPU where there is one
        for (int j = 0; j < m; j++)
            b[i * m + j] = g.a[i * g.columns + j] + 0.1 * g.slope(i, j);
}
// What is reported depends on a cell.
void cells(double *b, const grid &g, int n, int m) {
    for (int i = 0; i < n; i++)
        // CHECK: reports.cpp:[[#@LINE+1]]:9: remark: loop nest not offloaded: the loop nest calls report, which is not known to be free of side effects
        for (int j = 0; j < m; j++) {
            if (g.a[i * g.columns + j] < 0)
                report(i, j);
            b[i * m + j] = g.a[i * g.columns + j] + g.a[i * g.columns + j + 1];
        }
}
