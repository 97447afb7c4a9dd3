// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time loops that assign std::vectors are taken whole, where no vector grows and none is copied in parts; a vector that is
// longer in each step is not.
// RUN: %clang++ -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
// RUN: %clang++ -O3 -fno-exceptions -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=WHOLE %s
#include <vector>
using V = std::vector<double>;

// CHECK: :[[@LINE+6]]:{{.*}}2-D stencil of radius 1, 4 cells read, f64, runs on a GPU where there is one: the whole time loop, the copy after each sweep included
// WHOLE: :[[@LINE+5]]:{{.*}}2-D stencil of radius 1, 4 cells read, f64, runs on a GPU where there is one: the whole time loop, the copy after each sweep included
double heat(int n, int m, int steps) {
    V u(n * m), next(n * m);
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                next[i * m + j] = 0.25 * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]);
        u = next;
    }
    return u[m + 1];
}

// CHECK: :[[@LINE+4]]:{{.*}}2-D time loop of 3 sweeps runs on a GPU where there is one, bT {{[0-9]+}} whole steps of 2 arrays
// WHOLE: :[[@LINE+3]]:{{.*}}2-D time loop of 3 sweeps runs on a GPU where there is one, bT {{[0-9]+}} whole steps of 2 arrays
double edges(int n, int m, int steps) {
    V u(n * m), next(n * m);
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                next[i * m + j] = u[i * m + j - 1] - 0.5 * u[(i + 1) * m + j];
        for (int i = 0; i < n; i++) {
            next[i * m] = next[i * m + 1];
            next[i * m + m - 1] = next[i * m + m - 2];
        }
        u = next;
    }
    return u[m + 1];
}

// CHECK: :[[@LINE+4]]:{{.*}}1-D time loop of 3 sweeps runs on a GPU where there is one
// WHOLE: :[[@LINE+3]]:{{.*}}1-D time loop of 3 sweeps runs on a GPU where there is one
void rods(V &u0, V &v0, int n, int steps) {
    V u(u0), next(u0), v(v0), after(v0);
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            next[i] = 0.5 * (u[i - 1] + u[i + 1]) + v[i];
            after[i] = v[i] + 0.1 * (v[i - 1] - v[i + 1]) - u[i];
        }
        u = next;
        v = after;
    }
    u0.swap(u);
    v0.swap(v);
}

// CHECK: :[[@LINE+5]]:{{.*}}the sweep is offloaded without the loop around it
// CHECK: :[[@LINE+4]]:{{.*}}runs on a GPU where there is one: one sweep a call
void longer(V &u0, int n, int steps) {
    V u(u0), next(u0);
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            next[i] = 0.5 * (u[i - 1] + u[i + 1]);
        next.push_back(t);
        u = next;
    }
    u0.swap(u);
}
