// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that hold several loops, and sweeps in place that read what they write later.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s

#define F(k, i, j) f[((i) * m + (j)) * 9 + (k)]

void shifts(int n, int m, float *f) {
    // CHECK: several-loops.c:[[#@LINE+1]]:5: remark: 2-D sequence of 3 sweeps runs on a GPU
    for (int i = 0; i < n; i++) {
        for (int j = m - 1; j > 0; j--)
            F(1, i, j) = F(1, i, j - 1);
        for (int j = 0; j < m - 1; j++)
            F(3, i, j) = F(3, i, j + 1);
        for (int j = 0; j < m; j++)
            F(2, i, j) = F(2, i, j) * 2;
    }
}

void planes(int n, int m, double *restrict a, double *restrict b, const double *restrict c) {
    // CHECK: several-loops.c:[[#@LINE+1]]:5: remark: 2-D sequence of 2 sweeps runs on a GPU
    for (int i = n - 1; i > 0; i--) {
        for (int j = 1; j < m - 1; j++)
            a[i * m + j] = a[(i - 1) * m + j] + c[i * m + j - 1];
        for (int j = m - 2; j > 0; j--)
            b[i * m + j] = b[(i - 1) * m + j - 1] + b[i * m + j - 1];
    }
}

void time_loop(int n, int m, int steps, double *restrict a, double *restrict b) {
    // CHECK: several-loops.c:[[#@LINE+1]]:5: remark: 2-D time loop of 1 sweep runs on a GPU
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i * m + j] = a[i * m + j] + a[(i + 1) * m + j - 1] * b[i * m + j];
}

// Cells are read that an earlier iteration writes: above, or to the left.
void above(int n, int m, float *restrict a) {
    for (int i = 1; i < n; i++)
        // CHECK: several-loops.c:[[#@LINE+1]]:9: remark: loop nest not offloaded: the nest reads neighbours from the array it writes
        for (int j = 0; j < m - 1; j++)
            a[i * m + j] = a[(i - 1) * m + j] + a[i * m + j + 1];
}
void above_right(int n, int m, float *restrict a) {
    for (int i = 1; i < n; i++)
        // CHECK: several-loops.c:[[#@LINE+1]]:9: remark: loop nest not offloaded: the nest reads neighbours from the array it writes
        for (int j = 0; j < m - 1; j++)
            a[i * m + j] = a[(i - 1) * m + j + 1] + a[i * m + j + 1];
}

// A loop uses what the one before has written.
void follows(int n, int m, const float *restrict a, float *restrict b, float *restrict c) {
    for (int i = 0; i < n; i++) {
        // CHECK: several-loops.c:[[#@LINE+1]]:9: remark: loop nest not offloaded: other work is done between the loops of the nest (another loop: a loop holds several loops, of which one uses what another one writes; write a loop around each)
        for (int j = 1; j < m - 1; j++)
            b[i * m + j] = a[i * m + j - 1] + a[i * m + j + 1];
        // CHECK: several-loops.c:[[#@LINE+1]]:9: remark: loop nest not offloaded: other work is done between the loops of the nest (another loop: a loop holds several loops, of which one uses what another one writes; write a loop around each)
        for (int j = 1; j < m - 1; j++)
            c[i * m + j] = b[i * m + j] * 2;
    }
}

// Something else is done between them.
void between(int n, int m, const float *restrict a, float *restrict b, float *restrict c, float *restrict d) {
    // CHECK: several-loops.c:[[#@LINE+2]]:5: remark: loop nest not offloaded: other work is done between the loops of the nest (an assignment)
    // CHECK: several-loops.c:[[#@LINE+1]]:5: remark: time loop not offloaded:
    for (int i = 0; i < n; i++) {
        // CHECK: several-loops.c:[[#@LINE+1]]:9: remark: loop nest not offloaded: other work is done between the loops of the nest (an assignment)
        for (int j = 1; j < m - 1; j++)
            b[i * m + j] = a[i * m + j - 1] + a[i * m + j + 1];
        d[i] = b[i * m];
        // CHECK: several-loops.c:[[#@LINE+1]]:9: remark: loop nest not offloaded: other work is done between the loops of the nest (an assignment)
        for (int j = 1; j < m - 1; j++)
            c[i * m + j] = a[i * m + j + 1] - a[i * m + j];
    }
}
