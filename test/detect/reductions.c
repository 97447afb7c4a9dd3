// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of a sweep over its cells, and time loops that end by such a value.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=REMARK --implicit-check-not=remark: %s
// RUN: rm -rf %t && env STENCILOPT_SAVE_TEMPS=%t %clang -O2 -ffp-contract=off -fno-discard-value-names -fpass-plugin=%plugin -c %s -o /dev/null
// RUN: cat %t/plate.*.stencil %t/extremes.*.stencil | FileCheck %s
// RUN: cat %t/apart.*.stencil | FileCheck --check-prefix=APART %s
// RUN: cat %t/plate.*.ptx | FileCheck --check-prefix=PTX %s
// RUN: cat %t/plate.*.ptx | FileCheck --check-prefix=WHOLE %s
// RUN: %clang -O2 -ffp-contract=off -S -emit-llvm -fno-discard-value-names -fpass-plugin=%plugin %s -o - | FileCheck --check-prefix=HOST %s
#include <math.h>

#define CELLS                                                                                      \
    for (int i = 1; i < n - 1; i++)                                                                \
        for (int j = 1; j < m - 1; j++)
#define SWAP __typeof__(a) was = a; a = b; b = was

// A kernel of whole steps reduces, too, within a thread by one operation a cell; each step has slots of its own.
// WHOLE: .entry stencil_steps{{[0-9]+}}(
// WHOLE: max.NaN.f32
// WHOLE: atom.{{.*}}max.u64
// WHOLE: atom.{{.*}}max.u64
// PTX: shfl.sync.down.b32
// PTX: atom.{{.*}}max.u64
int plate(int n, int m, float (*a)[m], float (*b)[m], float eps, int most, float *change) {
    float d = 1;
    int t;
    // REMARK: reductions.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D time loop of 1 sweep, which ends by what each step computes, runs on a GPU where there is one, bT {{[0-9]+}} whole steps
    for (t = 0; t < most; t++) {
        d = 0;
        CELLS {
            b[i][j] = 0.25f * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
            d = fmaxf(d, fabsf(b[i][j] - a[i][j]));
        }
        SWAP;
        if (d < eps)
            break;
    }
    *change = d;
    return t;
}
// CHECK: time loop of 1 sweep in plate: rank 2
// CHECK: writes b[+1]
// CHECK: max of f32 = fabs(fsub(

// What ends the loop is a function of its own, which the runtime calls.
// HOST-LABEL: define {{.*}}i32 @plate(
// HOST: call {{.*}} @stencilopt.enter(
// HOST-LABEL: define internal {{.*}}i32 @stencilopt.ends(
// HOST: fcmp olt float

// A nest that does nothing else.
int apart(int steps, int n, int m, int (*a)[m], int (*b)[m]) {
    int most = 0;
    // REMARK: reductions.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D time loop of 2 sweeps runs on a GPU
    for (int t = 0; t < steps; t++) {
        CELLS b[i][j] = a[i][j - 1] + a[i][j + 1];
        most = 0;
        CELLS most = b[i - 1][j] - a[i][j] > most ? b[i - 1][j] - a[i][j] : most;
        SWAP;
    }
    return most;
}
// APART: sweep 2: along x y
// APART-NOT: writes
// APART: max of i32 = sub(b[+1](0,0), b[0](0,1))

unsigned extremes(int steps, int n, int m, float (*a)[m], float (*b)[m], float high, float *out) {
    float most = 0, least = 0;
    unsigned all = 0;
    // REMARK: reductions.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D time loop of 2 sweeps runs on a GPU
    for (int t = 0; t < steps; t++) {
        most = -1;
        least = high;
        all = 5;
        CELLS {
            float v = a[i][j - 1] + a[i][j + 1];
            b[i][j] = v;
            most = v >= most ? v : most;
            if (least > v)
                least = v;
        }
        CELLS {
            a[i][j] = b[i][j];
            all += b[i][j] < 3;
        }
    }
    out[0] = most;
    out[1] = least;
    return all;
}
// CHECK: time loop of 2 sweeps in extremes: rank 2
// CHECK: sweep 1: along x y
// CHECK: max of f32 = fadd(a[0](-1,0), a[0](1,0))
// CHECK-NEXT: min of f32 = fadd(a[0](-1,0), a[0](1,0))
// CHECK: sweep 2: along x y
// CHECK: sum of i32 = zext.i32(fcmp.olt(b[0](0,0), 3))
