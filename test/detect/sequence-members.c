// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In a sequence each sweep has a remark at its own line, also one that LLVM made a call that fills memory.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-analysis=stencil -c %s -o %t.o 2>&1 | FileCheck %s
enum { N = 96, M = 80 };
double a[N][M], b[N][M];

// CHECK: sequence-members.c:[[#@LINE+2]]:5: remark: 2-D sequence of 3 sweeps runs on a GPU where there is one
void step(void) {
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < M - 1; j++)
            b[i][j] = a[i][j] + 0.1 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
    // CHECK: sequence-members.c:[[#@LINE+2]]:{{[0-9]+}}: remark: the elements that it copies or sets run in the sequence of {{.*}}sequence-members.c:[[#@LINE-3]] (step)
    for (int j = 0; j < M; j++)
        b[0][j] = 0;
    // CHECK: sequence-members.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 1-D sweep runs in the sequence of {{.*}}sequence-members.c:[[#@LINE-6]] (step)
    for (int i = 0; i < N; i++)
        b[i][M - 1] = b[i][M - 2];
}
