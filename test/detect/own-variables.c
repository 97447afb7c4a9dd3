// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indices of loops, and temporaries, in static variables. Next door: another function reads one.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
static int i, j;
static double here, last;

void sweep(int n, int m, double (*restrict a)[m], double (*restrict b)[m]) {
    // CHECK: own-variables.c:[[#@LINE+2]]:{{[0-9]+}}: remark: 2-D stencil of radius 1, 4 cells read, f64, runs on a GPU
    for (i = 1; i < n - 1; i++)
        for (j = 1; j < m - 1; j++) {
            here = a[i - 1][j] + a[i + 1][j];
            b[i][j] = 0.25 * (here + a[i][j - 1] + a[i][j + 1]);
        }
}

void steps(int n, int m, int count, double (*a)[m], double (*b)[m]) {
    // CHECK: own-variables.c:[[#@LINE+1]]:{{[0-9]+}}: remark: 2-D time loop of 2 sweeps runs on a GPU
    for (int t = 0; t < count; t++) {
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++)
                b[i][j] = a[i - 1][j] + a[i + 1][j];
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++)
                a[i][j] += b[i][j - 1] + b[i][j + 1];
    }
}

void hands_on(int n, int m, double (*restrict a)[m], double (*restrict b)[m]) {
    // CHECK: own-variables.c:[[#@LINE+1]]:{{[0-9]+}}: remark: time loop not offloaded
    for (i = 1; i < n - 1; i++)
        // CHECK: own-variables.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: {{.*}}an assignment to a variable that other procedures may read
        for (j = 1; j < m - 1; j++) {
            last = a[i][j - 1];
            b[i][j] = last + a[i][j + 1];
        }
}

double reads(void) {
    return last;
}
