// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time loops that assign std::vectors by calls: members, through references, of vectors of vectors, in objects. Not if the
// vector is another one in each step, or is assigned in some steps only.
// RUN: %clang++ -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | grep -v '/c++/' | FileCheck --implicit-check-not=remark: %s
// RUN: %clang++ -O3 -fno-exceptions -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -c %s -o /dev/null 2>&1 | grep -v '/c++/' | FileCheck --check-prefix=WHOLE %s
#include <vector>
using Rows = std::vector<std::vector<double>>;

struct heat {
    std::vector<double> u, un;
    int n, m;
    void solve(int steps);
};
void heat::solve(int steps) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            // CHECK: :[[@LINE+2]]:13: remark: 2-D stencil of radius 1, 4 cells read, f64, runs on a GPU where there is one: the whole time loop, the copy after each sweep included
            // WHOLE: :[[@LINE+1]]:13: remark: 2-D stencil of radius 1, 4 cells read, f64, runs on a GPU where there is one: the whole time loop, the copy after each sweep included
            for (int j = 1; j < m - 1; j++)
                un[i * m + j] = 0.25 * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]);
        this->u = this->un;
    }
}

void rows(Rows &u, int n, int m, int steps) {
    Rows next(n, std::vector<double>(m));
    // CHECK: :[[@LINE+2]]:5: remark: 2-D time loop of 2 sweeps runs on a GPU where there is one
    // WHOLE: :[[@LINE+1]]:5: remark: 2-D time loop of 2 sweeps runs on a GPU where there is one
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                next[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
        u = next;
    }
}

struct field {
    int n, m;
    std::vector<float> cells;
    float &operator()(int i, int j) { return cells[i * m + j]; }
};
void evolve(field &u, field &next, int steps) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < u.n - 1; i++)
            // CHECK: :[[@LINE+2]]:13: remark: 2-D stencil of radius 1, 4 cells read, f32, runs on a GPU where there is one: the whole time loop, the copy after each sweep included
            // WHOLE: :[[@LINE+1]]:13: remark: 2-D stencil of radius 1, 4 cells read, f32, runs on a GPU where there is one: the whole time loop, the copy after each sweep included
            for (int j = 1; j < u.m - 1; j++)
                next(i, j) = 0.25f * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1));
        u = next;
    }
}

void some_steps(heat &h, int steps) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < h.n - 1; i++)
            // CHECK: :[[@LINE+2]]:13: remark: the sweep is offloaded without the loop around it
            // CHECK: :[[@LINE+1]]:13: remark: 2-D stencil of radius 1, 2 cells read, f64, runs on a GPU where there is one: one sweep a call
            for (int j = 1; j < h.m - 1; j++)
                h.un[i * h.m + j] = h.u[(i - 1) * h.m + j] - h.u[i * h.m + j + 1];
        if (t & 3)
            h.u = h.un;
    }
}

void levels(std::vector<double> *u, std::vector<double> &next, int n, int steps) {
    for (int t = 0; t < steps; t++) {
        // CHECK: :[[@LINE+2]]:9: remark: the sweep is offloaded without the loop around it
        // CHECK: :[[@LINE+1]]:9: remark: 1-D stencil of radius 1, 2 cells read, f64, runs on a GPU where there is one: one sweep a call
        for (int i = 1; i < n - 1; i++)
            next[i] = 0.5 * (u[t][i - 1] + u[t][i + 1]);
        u[t + 1] = next;
    }
}
