// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A cause is told once: not again for copies of a function that is inlined, nor at the time loop.
// RUN: %clang -O2 -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
// RUN: %clang -Og -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=DEBUG --implicit-check-not=llvm.fake.use %s
void sweep(int n, double *a) {
    for (int i = 1; i < n - 1; i++)
        // CHECK: once.c:[[#@LINE+1]]:9: remark: loop nest not offloaded: the nest reads neighbours from the array it writes, so iterations depend on each other; write to a second array
        for (int j = 1; j < n - 1; j++)
            a[i * n + j] = 0.5 * (a[i * n + j - 1] + a[i * n + j + 1]);
}

void steps(int n, int steps, double *a) {
    for (int t = 0; t < steps; t++)
        sweep(n, a);
    sweep(n + 1, a);
}

// With -Og clang keeps variables alive by calls of llvm.fake.use.
void kept(int n, int steps, double *a, double *b) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            // DEBUG: once.c:[[#@LINE+1]]:13: remark: 2-D stencil of radius 1, 2 cells read, f64, runs on a GPU where there is one: the whole time loop
            for (int j = 1; j < n - 1; j++)
                b[i * n + j] = 0.5 * (a[i * n + j - 1] + a[i * n + j + 1]);
        double *was = a;
        a = b;
        b = was;
    }
}
