// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mathematical functions in cells: of what the nest does not write, and others.
// RUN: %clang -O2 -ffp-contract=off -fmath-errno -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o %t.o 2>&1 | FileCheck --implicit-check-not=remark: %s
// RUN: %clang -O2 -ffp-contract=off -fno-math-errno -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -c %s -o %t.o 2>&1 | FileCheck --check-prefix=BITS %s
// RUN: %clang -O2 -ffp-contract=off -S -emit-llvm -fpass-plugin=%plugin %s -o - | FileCheck --check-prefix=CODE %s
#include <math.h>

#define AT(i, j) ((long)(i) * m + (j))

// CODE-LABEL: define {{.*}}@of_array(
// CODE: call {{.*}}@stencilopt.ready(
// CODE: call {{.*}}@stencilopt.table(
// CODE: call void @stencilopt.drop(
void of_array(int n, int m, double *b, const double *a, const double *latitude, double by) {
    for (int i = 1; i < n - 1; i++)
        // CHECK: lookups.c:[[#@LINE+2]]:9: remark: 2-D stencil of radius 1, 6 cells read, f64, runs on a GPU where there is one: one sweep a call
        // BITS: lookups.c:[[#@LINE+1]]:9: remark: 2-D stencil of radius 1, 6 cells read, f64, runs on a GPU where there is one: one sweep a call
        for (int j = 1; j < m - 1; j++)
            b[AT(i, j)] = a[AT(i, j)] + sin(latitude[AT(i, j)] * by) * (a[AT(i - 1, j)] + a[AT(i + 1, j)] + a[AT(i, j - 1)] + a[AT(i, j + 1)]);
}

// The boundary of a lattice Boltzmann method: several outputs.
void of_counter(int m, double *restrict f) {
    // CHECK: lookups.c:[[#@LINE+2]]:5: remark: 1-D sweep of 3 outputs runs on a GPU where there is one
    // BITS: lookups.c:[[#@LINE+1]]:5: remark: 1-D sweep of 3 outputs runs on a GPU where there is one
    for (int j = 0; j < m; j++) {
        double u = 0.1 * (1 + 1e-4 * sin(0.01 * j));
        double rho = 1 / (1 - u) * (f[9 * j] + f[9 * j + 1] + f[9 * j + 2] + 2 * (f[9 * j + 3] + f[9 * j + 4] + f[9 * j + 5]));
        f[9 * j + 6] = rho * (1 + 3 * u);
        f[9 * j + 7] = rho * (1 - 3 * u);
        f[9 * j + 8] = rho * (1 + u * u);
    }
}

// The function's argument is what the sweep computes from its neighbours.
void of_cells(int n, int m, double *restrict b, const double *restrict a) {
    for (int i = 1; i < n - 1; i++)
        // CHECK: lookups.c:[[#@LINE+1]]:9: remark: loop nest not offloaded: 'exp' may set errno
        for (int j = 1; j < m - 1; j++) {
            double before = b[AT(i, j)];
            b[AT(i, j)] = exp(before) + a[AT(i - 1, j)] + a[AT(i + 1, j)] + a[AT(i, j - 1)] + a[AT(i, j + 1)];
        }
}

// A table would cost more than the sweep saves.
void little(int n, double *restrict b, const double *restrict a, const double *restrict x) {
    // CHECK: lookups.c:[[#@LINE+1]]:5: remark: loop nest not offloaded: 'exp' may set errno
    for (int i = 1; i < n - 1; i++)
        b[i] = a[i - 1] + a[i + 1] + exp(x[i]);
}

// The array of which it is a function changes in each step: the CPU would wait for it each time.
void of_changing(int steps, int n, int m, double *restrict a, double *restrict b, double *restrict c) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            // CHECK: lookups.c:[[#@LINE+1]]:13: remark: loop nest not offloaded: 'exp' may set errno
            for (int j = 1; j < m - 1; j++)
                b[AT(i, j)] = exp(a[AT(i, j)]) * (c[AT(i - 1, j)] + c[AT(i + 1, j)] + c[AT(i, j - 1)] + c[AT(i, j + 1)]);
        for (int i = 1; i < n - 1; i++)
            // CHECK: lookups.c:[[#@LINE+2]]:13: remark: the sweep is offloaded without the loop around it
            // CHECK: lookups.c:[[#@LINE+1]]:13: remark: 2-D stencil of radius 0, 2 cells read, f64, runs on a GPU where there is one: one sweep a call
            for (int j = 1; j < m - 1; j++)
                a[AT(i, j)] = b[AT(i, j)] + c[AT(i, j)];
    }
}
