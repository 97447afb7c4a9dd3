// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that count what runs, for coverage or profiles: one remark a function.
// RUN: %clang -O2 -gline-tables-only -fprofile-instr-generate -fcoverage-mapping -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck -DFOR=-fprofile-instr-generate --implicit-check-not=remark: %s
// RUN: mkdir -p %t.dir
// RUN: %clang -O2 -gline-tables-only --coverage -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o %t.dir/counters.o 2>&1 | FileCheck -DFOR=--coverage --implicit-check-not=remark: %s
// RUN: %clang -O2 -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=TAKEN %s
void step(int n, int steps, double *a, double *b) {
    // CHECK: counters.c:{{[0-9]+}}:{{[0-9]+}}: remark: loop nest not offloaded: the compiler adds counters of what runs to the loops (for [[FOR]]); compile this file without
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            // TAKEN: counters.c:[[#@LINE+1]]:13: remark: 2-D stencil of radius 1, 2 cells read, f64, runs on a GPU where there is one: the whole time loop
            for (int j = 1; j < n - 1; j++)
                b[i * n + j] = a[i * n + j - 1] + a[i * n + j + 1];
        double *was = a;
        a = b;
        b = was;
    }
}
