// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sweep of two outputs in a loop that calls what may throw: the call is named.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fopenmp -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=remark:

struct guard {
    ~guard();
};
struct rows {
    float *cells;
    rows &operator=(const rows &other);
};

// CHECK: call-beside-outputs.cpp:[[#@LINE+6]]:1: remark: the sweep is offloaded without the loop around it, so arrays may be copied in each iteration of the outer loop: the loop nest calls rows::operator=, which is not known to be free of side effects; let it be inlined, or call it outside the loops [-Rpass-missed=stencil]
// CHECK: call-beside-outputs.cpp:[[#@LINE+5]]:1: remark: 2-D sweep of 2 outputs runs on a GPU where there is one, a kernel a sweep
void step(int T, int n, int m, rows &a, rows &b, rows &c, rows &d) {
    for (int t = 0; t < T; t++) {
        guard g;
        c = a;
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                c.cells[i * m + j] = a.cells[i * m + j - 1] + b.cells[i * m + j + 1];
                d.cells[i * m + j] = a.cells[i * m + j + 1] - b.cells[i * m + j - 1];
            }
        a = c;
        b = d;
    }
}
