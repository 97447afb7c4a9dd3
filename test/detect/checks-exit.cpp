// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks in a function behind whose loops the program ends, as behind those of a main that calls exit: the loops go on
// to that by their counts.
// RUN: %clang++ -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=remark:
#include <cstdio>
#include <cstdlib>
#include <vector>

[[noreturn]] void smooth(std::vector<double> &a, std::vector<double> &b, int n, int m, int steps) {
    // CHECK: checks-exit.cpp:[[#@LINE+3]]:{{[0-9]+}}: remark: 2-D stencil of radius 1, 4 cells read, f64, runs on a GPU where there is one: the whole time loop, the copy after each sweep included
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b.at(i * m + j) = 0.25 * (a.at((i - 1) * m + j) + a.at((i + 1) * m + j) +
                                          a.at(i * m + j - 1) + a.at(i * m + j + 1));
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a.at(i * m + j) = b.at(i * m + j);
    }
    if (a[m + 1] > 3)
        puts("much");
    exit(0);
}
