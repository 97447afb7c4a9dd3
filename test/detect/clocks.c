// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point times that time loops carry, and the values that sweeps get from them.
// RUN: %clang -O2 -ffp-contract=off -fno-math-errno -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=REMARK --implicit-check-not=remark: %s
// RUN: rm -rf %t && env STENCILOPT_SAVE_TEMPS=%t %clang -O2 -ffp-contract=off -fno-math-errno -fno-discard-value-names -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: cat %t/source.*.stencil | FileCheck %s
// RUN: %clang -O2 -ffp-contract=off -fno-math-errno -S -emit-llvm -fno-discard-value-names -fpass-plugin=%plugin %s -o - | FileCheck --check-prefix=HOST %s
#include <math.h>

#define CELLS                                                                                      \
    for (int i = 1; i < n - 1; i++)                                                                \
        for (int j = 1; j < m - 1; j++)
#define AROUND 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1])
#define SWAP double(*was)[m] = a; a = b; b = was

double until(int n, int m, double end, double dt, double (*a)[m], double (*b)[m]) {
    double t;
    // REMARK: clocks.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D time loop of 1 sweep, which ends by what each step computes, runs on a GPU
    for (t = 0; t < end; t += dt) {
        CELLS b[i][j] = AROUND;
        SWAP;
    }
    return t;
}

void source(int n, int m, int steps, double dt, double (*a)[m], double (*b)[m], double (*s)[m]) {
    double t = 0;
    // REMARK: clocks.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D time loop of 1 sweep runs on a GPU
    for (int k = 0; k < steps; k++) {
        CELLS b[i][j] = AROUND + sin(t) * s[i][j];
        t += dt;
        SWAP;
    }
}
// CHECK: time loop of 1 sweep in source
// CHECK: scalar s0: f64, computed for each step
// The function that the runtime asks after each step computes the next step's number.
// HOST-LABEL: define {{.*}}void @source(
// HOST: call double @llvm.sin.f64(
// HOST: call {{.*}} @stencilopt.enter(
// HOST-LABEL: define internal {{.*}}i32 @stencilopt.ends.{{[0-9]+}}(
// HOST: fadd double
// HOST: call double @llvm.sin.f64(

// What the next time is, a cell decides.
void of_a_cell(int n, int m, double end, double (*a)[m], double (*b)[m]) {
    double t = 0;
    while (t < end) {
        // REMARK: clocks.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the sweep is offloaded without the loop around it, {{.*}}ends by a condition
        // REMARK: clocks.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D stencil of radius 1, 4 cells read, f64, {{.*}}: one sweep a call
        CELLS b[i][j] = AROUND;
        t += b[1][1];
        SWAP;
    }
}
