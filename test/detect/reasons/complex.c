// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of complex numbers call a function where they are no numbers: cells do what it does. Quotients call one always,
// but for the basic formula.
// RUN: %clang -O2 -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
// RUN: %clang -O2 -DDIVIDE -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=QUOTIENT --implicit-check-not=remark: %s
// RUN: %clang -O2 -DDIVIDE -fcomplex-arithmetic=basic -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=BASIC %s
#include <complex.h>
#ifdef DIVIDE
#define BY /
#else
#define BY *
#endif

void step(int n, int steps, double complex *a, double complex *b) {
    // CHECK: complex.c:[[#@LINE+2]]:5: remark: 2-D time loop of 1 sweep runs on a GPU where there is one, a kernel a sweep
    // BASIC: complex.c:[[#@LINE+1]]:5: remark: 2-D time loop of 1 sweep runs on a GPU where there is one, a kernel a sweep
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            // QUOTIENT: complex.c:[[#@LINE+1]]:13: remark: loop nest not offloaded: a quotient of complex numbers calls '__divdc3'; multiply by the reciprocal, or compile with -fcomplex-arithmetic=basic, which divides by the basic formula
            for (int j = 1; j < n - 1; j++)
                b[i * n + j] = a[i * n + j] BY (a[i * n + j - 1] - a[i * n + j + 1]);
        double complex *was = a;
        a = b;
        b = was;
    }
}

#ifndef DIVIDE
// Stores of complex numbers may change the bounds, for all that a compiler knows.
int rows, columns;
float complex *now, *next, turn;
void sweep(void) {
    // CHECK: complex.c:[[#@LINE+1]]:5: remark: 2-D sweep of 2 outputs runs on a GPU where there is one, a kernel a sweep
    for (int i = 1; i < rows - 1; i++)
        for (int j = 1; j < columns - 1; j++)
            next[i * columns + j] = turn * (now[i * columns + j - 1] + now[(i + 1) * columns + j]);
}
#endif
