// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call in each step that may throw, caught behind the time loop: it is named as the cause, not an exit that nobody wrote.
// RUN: %clang -x c++ -O2 -fpass-plugin=%plugin -Rpass-missed=stencil -S %s -o /dev/null 2>&1 | FileCheck %s
// CHECK: remark: time loop not offloaded: {{.*}}(sweep 1 of 2, line 17: the loop nest calls show,
// CHECK-NOT: more than one exit
#include <utility>
struct Grid {
    double *data;
    int n;
};
void show(const Grid &g, int t);
void caught(int);
void steps(Grid &a, Grid &b, int count, int n) {
    try {
        for (int t = 0; t < count; t++) {
            const double *x = a.data;
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < n - 1; j++)
                    b.data[i * n + j] = 0.25 * (x[(i - 1) * n + j] + x[(i + 1) * n + j] +
                                                x[i * n + j - 1] + x[i * n + j + 1]);
            std::swap(a.data, b.data);
            show(a, t);
        }
    } catch (int e) {
        caught(e);
    }
}
