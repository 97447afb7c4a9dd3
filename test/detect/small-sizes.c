// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over so few cells that LLVM would unroll them are kept until they were looked at.
// RUN: %clang -O3 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
// Those that are not taken are unrolled then, as without the plugin; no mark is left.
// RUN: %clang -O3 -ffp-contract=off -S -emit-llvm -fpass-plugin=%plugin %s -o - | FileCheck --check-prefix=HOST %s
// RUN: %clang -O3 -ffp-contract=off -S -emit-llvm %s -o - | FileCheck --check-prefix=HOST %s

enum { N = 40, M = 44 };
static double a[N][M], b[N][M];

void edges(int steps) {
    // CHECK: small-sizes.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D time loop of 4 sweeps runs on a GPU
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < M - 1; j++)
                b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        for (int j = 1; j < M - 1; j++)
            b[0][j] = b[N - 2][j];
        for (int i = 1; i < N - 1; i++)
            b[i][0] = t;
        for (int i = 0; i < N; i++)
            for (int j = 0; j < M; j++)
                a[i][j] += b[i][j];
    }
}
double *see(void) { return &a[0][0]; }

// A sum of what came before is no sweep.
// HOST-LABEL: define {{.*}}@sums(
// HOST-COUNT-30: store float
// HOST-NOT: br
// HOST: ret void
// HOST-NOT: llvm.loop.peeled.count", i32 1{{[0-9][0-9][0-9]}}
// HOST-NOT: llvm.sideeffect
// CHECK: small-sizes.c:[[#@LINE+2]]:{{[0-9]+}}: remark: loop nest not offloaded: a value is carried
void sums(float *restrict sum, const float *restrict from, float first) {
    for (int i = 0; i < 30; i++)
        sum[i] = first += from[i];
}

// The program says what becomes of the loop.
// CHECK-NOT: small-sizes.c:[[#@LINE+2]]
void asked(float *restrict to, const float *restrict from) {
#pragma clang loop unroll(full)
    for (int i = 0; i < 40; i++)
        to[i] = from[i] + from[i + 1];
}
