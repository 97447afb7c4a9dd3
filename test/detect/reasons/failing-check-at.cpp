// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// at() of C++'s containers, where objects are to be destroyed and where none is: one condition in front of the loops, unless
// the index is read.
// RUN: %clang++ -O2 -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
#include <vector>

void step(const std::vector<double> &a, std::vector<double> &b, int n) {
    for (int i = 1; i < n - 1; i++)
        // CHECK: failing-check-at.cpp:[[#@LINE+1]]:9: remark: 2-D stencil of radius 1, 2 cells read, f64, runs on a GPU where there is one: one sweep a call
        for (int j = 1; j < n - 1; j++)
            b.at(i * n + j) = a.at(i * n + j - 1) + a.at(i * n + j + 1);
}

void use(const double *);
void own(int n, double x) {
    std::vector<double> a(1), b(1);
    a.resize(n * n, x), b.resize(n * n, x);
    for (int i = 1; i < n - 1; i++)
        // CHECK: failing-check-at.cpp:[[#@LINE+1]]:9: remark: 2-D stencil of radius 1, 2 cells read, f64, runs on a GPU where there is one: one sweep a call
        for (int j = 1; j < n - 1; j++)
            b.at(i * n + j) = a.at(i * n + j - 1) + a.at(i * n + j + 1);
    use(b.data());
}

void indexed(const std::vector<double> &a, std::vector<double> &b, const std::vector<int> &left, int n) {
    for (int i = 1; i < n - 1; i++)
        // CHECK: failing-check-at.cpp:[[#@LINE+1]]:9: remark: loop nest not offloaded: a check in it ends the program where it fails: at() in line [[#@LINE+2]], which throws; access elements by []
        for (int j = 1; j < n - 1; j++)
            b.at(i * n + j) = a.at(i * n + left[j]) + a.at(i * n + j + 1);
}
