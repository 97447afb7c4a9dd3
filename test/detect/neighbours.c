// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Neighbours' indices in tables, and tables that are not taken for such.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o %t.o 2>&1 | FileCheck --implicit-check-not=remark: %s
#include <stdlib.h>
enum { N = 200 };
static int up[N], down[N];
static double a[N][N], b[N][N];
void fill(void) {
    for (int i = 0; i < N; i++) {
        up[i] = (i + N - 1) % N;
        down[i] = (i + 1) % N;
    }
}
void variables(int steps) {
    // CHECK: neighbours.c:[[#@LINE+1]]:5: remark: 2-D time loop of 2 sweeps runs on a GPU where there is one, bT {{[0-9]+}} whole steps of 2 arrays
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                b[i][j] = a[up[i]][j] + a[down[i]][j] + a[i][up[j]] + a[i][down[j]];
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                a[i][j] = b[i][j];
    }
}

// Of a table with other indices only the first ones are read.
void some_rows(void) {
    for (int i = 1; i < N - 1; i++)
        // CHECK: neighbours.c:[[#@LINE+1]]:9: remark: 2-D stencil of radius 1, 2 cells read, f64, runs on a GPU where there is one: one sweep a call
        for (int j = 0; j < N; j++)
            b[i][j] = a[up[i]][j] - a[down[i]][j];
}

struct grid {
    long rows, columns;
    long *before, *behind;
    float *from, *to;
};
void make(struct grid *g) {
    g->before = malloc(g->rows * sizeof(long));
    g->behind = malloc(g->rows * sizeof(long));
    for (long i = 0; i < g->rows; i++) {
        g->before[i] = i - 1;
        g->behind[i] = i + 1;
    }
    g->before[0] = 0;
    g->behind[g->rows - 1] = g->rows - 1;
}
void members(const struct grid *g) {
    for (long i = 0; i < g->rows; i++)
        // CHECK: neighbours.c:[[#@LINE+1]]:9: remark: 2-D stencil of radius 1, 2 cells read, f32, runs on a GPU where there is one: one sweep a call
        for (long j = 0; j < g->columns; j++)
            g->to[i * g->columns + j] = g->from[g->before[i] * g->columns + j] + g->from[g->behind[i] * g->columns + j];
}

// Several arrays are written.
void two(int n, int m, const float *from, float *sum, float *difference) {
    int *above = malloc((size_t)n * sizeof *above), *below = malloc((size_t)n * sizeof *below);
    for (int i = 0; i < n; i++) {
        above[i] = i - 1;
        below[i] = i + 1;
    }
    above[0] = 0;
    below[n - 1] = n - 1;
    // CHECK: neighbours.c:[[#@LINE+1]]:5: remark: 2-D sweep of 2 outputs runs on a GPU where there is one
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            sum[i * m + j] = from[above[i] * m + j] + from[below[i] * m + j];
            difference[i * m + j] = from[above[i] * m + j] - from[i * m + j];
        }
    free(above);
    free(below);
}

// It is not seen what is in the table.
void unknown(int n, const int *table, const float *from, float *restrict to) {
    // CHECK: neighbours.c:[[#@LINE+1]]:5: remark: loop nest not offloaded: the address of an array access is not a linear function of the loop variables (it uses an index read in the loop; compute it from the counters, or fill its table in this file)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            to[i * n + j] = from[table[i] * n + j];
}

// A permutation: no index is near its place.
static int shuffled[N];
void permutation(void) {
    for (int i = 0; i < N; i++)
        shuffled[i] = i * 77 % N;
    // CHECK: neighbours.c:[[#@LINE+1]]:5: remark: loop nest not offloaded: {{.*}}(it uses an index read in the loop; compute it from the counters, or fill its table in this file)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            b[i][j] = a[shuffled[i]][j];
}
