// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A maximum that starts from its first cell, in a time loop: it may start from no cell. Not so if it starts from another
// one, or from what the first cell was before.
// RUN: %clang -O2 -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %clang -O2 -gline-tables-only -DROW=2 -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=OTHER %s
// RUN: %clang -O2 -gline-tables-only -DBEFORE -fpass-plugin=%plugin -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=OTHER %s
#include <math.h>
#ifndef ROW
#define ROW 1
#endif
#define INNER                                                                                      \
    for (int i = 1; i < n - 1; i++)                                                                \
        for (int j = 1; j < m - 1; j++)

// CHECK: remark: 2-D time loop of 4 sweeps, which ends by what each step computes, runs on a GPU where there is one, bT
// OTHER: remark: {{.*}}it does not start anew in each time step
float settle(int n, int m, int most, float a[restrict n][m], float b[restrict n][m],
             float c[restrict n][m]) {
    float s = 0;
    for (int t = 0; t < most; t++) {
#ifdef BEFORE
        s = c[ROW][1];
#endif
        INNER b[i][j] = 0.25f * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        INNER c[i][j] = fabsf(b[i][j] - a[i][j]);
#ifndef BEFORE
        s = c[ROW][1];
#endif
        INNER s = c[i][j] > s ? c[i][j] : s;
        INNER a[i][j] = b[i][j];
        if (s < 0.1f)
            break;
    }
    return s;
}
