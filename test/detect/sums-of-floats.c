// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of floating-point numbers beside a sweep, where options leave the order of additions free; all of
// what a cell adds is one value. Without such options the sum is made in the program's order.
// RUN: rm -rf %t && env STENCILOPT_SAVE_TEMPS=%t %clang -O2 -ffp-contract=off -fassociative-math -fno-signed-zeros -fno-trapping-math -fno-discard-value-names -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: cat %t/change.*.stencil | FileCheck %s
// RUN: cat %t/change.*.ptx | FileCheck --check-prefix=PTX %s
// RUN: rm -rf %t.strict && env STENCILOPT_SAVE_TEMPS=%t.strict %clang -O2 -ffp-contract=off -fassociative-math -fno-discard-value-names -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: cat %t.strict/change.*.stencil | FileCheck --check-prefix=STRICT %s
// RUN: cat %t.strict/change.*.ptx | FileCheck --check-prefix=ORDER %s

// PTX: add{{.*}}.f64
// PTX: atom.{{.*}}add.u64
// PTX: atom.{{.*}}add.u64
// PTX: atom.{{.*}}add.u64
double change(int steps, int n, int m, double (*a)[m], double (*b)[m]) {
    double d = 0;
    for (int t = 0; t < steps; t++) {
        d = 1;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                b[i][j] = a[i][j - 1] * 0.5 + a[i][j + 1];
                d -= a[i][j] * b[i][j];
            }
        double(*was)[m] = a;
        a = b;
        b = was;
    }
    return d;
}
// CHECK: time loop of 1 sweep in change: rank 2
// CHECK: writes b[+1]
// CHECK: sum of f64 = fneg(fmul(
// STRICT: ordered sum of f64 = fneg(fmul(
// ORDER: .entry stencil_adding_f64
