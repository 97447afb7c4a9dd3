// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of complex numbers call a function where they are no numbers, but for the basic formula.
// RUN: %clang -O2 -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
// RUN: %clang -O2 -fcomplex-arithmetic=basic -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=TAKEN %s
#include <complex.h>

void step(int n, int steps, double complex *a, double complex *b) {
    // TAKEN: complex.c:[[#@LINE+1]]:5: remark: 2-D time loop of 1 sweep runs on a GPU where there is one, a kernel a sweep
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            // CHECK: complex.c:[[#@LINE+1]]:13: remark: loop nest not offloaded: a product or quotient of complex numbers calls '__muldc3' where it is no number; compile with -fcomplex-arithmetic=basic, which leaves that case out
            for (int j = 1; j < n - 1; j++)
                b[i * n + j] = a[i * n + j] * (a[i * n + j - 1] - a[i * n + j + 1]);
        double complex *was = a;
        a = b;
        b = was;
    }
}
