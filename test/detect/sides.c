// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that set rows and columns of one array, as the boundary function of a fluid solver.
// RUN: %clang -O2 -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %clang -O3 -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck %s

#define AT(i, j) ((i) + (n + 2) * (j))

static inline void walls(int n, int b, float *x) {
    for (int i = 1; i <= n; i++) {
        x[AT(0, i)] = b == 1 ? -x[AT(1, i)] : x[AT(1, i)];
        x[AT(n + 1, i)] = b == 1 ? -x[AT(n, i)] : x[AT(n, i)];
        x[AT(i, 0)] = b == 2 ? -x[AT(i, 1)] : x[AT(i, 1)];
        x[AT(i, n + 1)] = b == 2 ? -x[AT(i, n)] : x[AT(i, n)];
    }
    x[AT(0, 0)] = 0.5f * (x[AT(1, 0)] + x[AT(0, 1)]);
    x[AT(0, n + 1)] = 0.5f * (x[AT(1, n + 1)] + x[AT(0, n)]);
    x[AT(n + 1, 0)] = 0.5f * (x[AT(n, 0)] + x[AT(n + 1, 1)]);
    x[AT(n + 1, n + 1)] = 0.5f * (x[AT(n, n + 1)] + x[AT(n + 1, n)]);
}

// A way of its own for n < 1, by which LLVM leaves the time loop, does not count.
void relax(int n, float *x, float *f, float *y, float *u) {
    for (int j = 1; j <= n; j++)
        for (int i = 1; i <= n; i++)
            f[AT(i, j)] = u[AT(i + 1, j)] - u[AT(i - 1, j)];
    // CHECK: sides.c:[[#@LINE+1]]:5: remark: 2-D time loop of 8 sweeps runs on a GPU where there is one, bT {{[0-9]+}} whole steps of 3 arrays
    for (int t = 0; t < 20; t++) {
        for (int j = 1; j <= n; j++)
            for (int i = 1; i <= n; i++)
                y[AT(i, j)] = (f[AT(i, j)] + x[AT(i - 1, j)] + x[AT(i + 1, j)] + x[AT(i, j - 1)] +
                               x[AT(i, j + 1)]) /
                              4;
        for (int j = 1; j <= n; j++)
            for (int i = 1; i <= n; i++)
                x[AT(i, j)] = y[AT(i, j)];
        walls(n, 0, x);
    }
    for (int j = 1; j <= n; j++)
        for (int i = 1; i <= n; i++)
            u[AT(i, j)] -= x[AT(i + 1, j)] - x[AT(i - 1, j)];
}

enum { M = 400 };

// Two components; columns first.
void components(int steps, float u[M][M], float v[M][M], float a[M][M], float b[M][M]) {
    // CHECK: sides.c:[[#@LINE+1]]:5: remark: 2-D time loop of {{[0-9]+}} sweeps runs on a GPU where there is one, bT {{[0-9]+}} whole steps of 4 arrays
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < M - 1; i++)
            for (int j = 1; j < M - 1; j++) {
                a[i][j] = u[i - 1][j] + u[i + 1][j];
                b[i][j] = v[i][j - 1] + v[i][j + 1];
            }
        for (int i = 1; i < M - 1; i++)
            for (int j = 1; j < M - 1; j++) {
                u[i][j] = a[i][j];
                v[i][j] = b[i][j];
            }
        for (int i = 1; i < M - 1; i++) {
            u[i][0] = -u[i][1];
            v[i][0] = v[i][1];
            u[0][i] = u[1][i] + 1;
            v[0][i] = -v[1][i];
        }
    }
}

// Rows and columns have a cell in common: the first and the last iteration are taken out, where the
// loop's iterations are a constant.
void common(int steps, float u[M][M], float a[M][M]) {
    // CHECK: sides.c:[[#@LINE+1]]:5: remark: 2-D time loop of {{[0-9]+}} sweeps runs on a GPU where there is one, bT {{[0-9]+}} whole steps of 2 arrays
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < M - 1; i++)
            for (int j = 1; j < M - 1; j++)
                a[i][j] = u[i - 1][j] + u[i + 1][j];
        for (int i = 1; i < M - 1; i++)
            for (int j = 1; j < M - 1; j++)
                u[i][j] = a[i][j];
        for (int i = 0; i < M; i++) {
            u[i][0] = u[i][1] + 1;
            u[i][M - 1] = u[i][M - 2];
            u[0][i] = u[1][i] + 2;
            u[M - 1][i] = -u[M - 2][i];
        }
    }
}

// One constant may be stored in any order.
void fixed(int steps, int n, double **u, double **a) {
    // CHECK: sides.c:[[#@LINE+1]]:5: remark: 2-D time loop of 3 sweeps runs on a GPU where there is one, bT {{[0-9]+}} whole steps of 1 array
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] = u[i - 1][j] + u[i + 1][j];
        for (int i = 0; i < n; i++) {
            a[i][0] = 0;
            a[i][n - 1] = 0;
            a[0][i] = 0;
            a[n - 1][i] = 0;
        }
        double **swap = u;
        u = a;
        a = swap;
    }
}

// Next door: a number of iterations that only the program knows.
void unknown(int steps, int n, float u[n][n], float a[n][n]) {
    // CHECK: sides.c:[[#@LINE+1]]:5: remark: time loop not offloaded: the sweeps in the loop around do not run on the GPU together (a loop sets rows and columns of an array that meet at their ends; write a loop for each)
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] = u[i - 1][j] + u[i + 1][j];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                u[i][j] = a[i][j];
        for (int i = 0; i < n; i++) {
            u[i][0] = u[i][1] + 1;
            u[0][i] = u[1][i] + 2;
        }
    }
}
