// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time loops whose cells look up entries of a table by an index that is loaded.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o %t.o 2>&1 | FileCheck --implicit-check-not=remark: %s
// RUN: %clang -O2 -ffp-contract=off -S -emit-llvm -fpass-plugin=%plugin %s -o - | FileCheck --check-prefix=CODE %s
#define AT(i, j) ((long)(i) * m + (j))

// Nothing tells that the entries are not among the cells. A test behind the nest that looks them up does.
// CODE-LABEL: define {{.*}}@exchanged(
// CODE: call {{.*}}@stencilopt.ready(
// CODE: call {{.*}}@stencilopt.table(
// CODE: call void @stencilopt.drop(
// CODE: call void @stencilopt.drop(
void exchanged(int steps, int n, int m, double *a, double *b, const double *k, const unsigned char *id) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            // CHECK: gathers.c:[[#@LINE+1]]:13: remark: 2-D stencil of radius 1, 6 cells read, f64, runs on a GPU where there is one: the whole time loop
            for (int j = 1; j < m - 1; j++)
                b[AT(i, j)] = a[AT(i, j)] + k[id[AT(i, j)]] * (a[AT(i - 1, j)] + a[AT(i + 1, j)] + a[AT(i, j - 1)] + a[AT(i, j + 1)]);
        double *was = a;
        a = b;
        b = was;
    }
}

// Two tables, two sweeps, global arrays. The second index is looked up, too.
static double e[300][200], h[300][200], ca[16], cb[16];
static short id[300][200], kind[40];
// CODE-LABEL: define {{.*}}@staggered(
// CODE: call {{.*}}@stencilopt.table(
// CODE: call void @stencilopt.drop(
// CODE-NOT: call void @stencilopt.drop(
// CODE: ret void
void staggered(int steps) {
    // CHECK: gathers.c:[[#@LINE+1]]:5: remark: 2-D time loop of 2 sweeps runs on a GPU where there is one
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < 300; i++)
            for (int j = 1; j < 200; j++)
                e[i][j] = ca[id[i][j]] * e[i][j] + cb[kind[id[i][j]]] * (h[i][j] - h[i - 1][j]);
        for (int i = 0; i < 299; i++)
            for (int j = 0; j < 199; j++)
                h[i][j] += 0.5 * (e[i + 1][j] - e[i][j]);
    }
}
void fill(int i, int j, int to) {
    id[i][j] = to;
    kind[to] = j;
    ca[to] = cb[i] = j;
}
double read(int i, int j) {
    return e[i][j] + h[i][j];
}

// The index changes in each step: no table would hold.
void changing(int steps, int n, int m, double *restrict a, double *restrict b, const double *restrict k, int *restrict which) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            // CHECK: gathers.c:[[#@LINE+1]]:13: remark: loop nest not offloaded: the address of an array access is not a linear function of the loop variables (it uses an index read in the loop
            for (int j = 1; j < m - 1; j++)
                b[AT(i, j)] = k[which[AT(i, j)]] * (a[AT(i - 1, j)] + a[AT(i + 1, j)]);
        for (int i = 1; i < n - 1; i++)
            // CHECK: remark: the sweep is offloaded without the loop around it
            // CHECK: remark: 2-D sweep of 2 outputs runs on a GPU
            for (int j = 1; j < m - 1; j++) {
                a[AT(i, j)] = 0.5 * b[AT(i, j)];
                which[AT(i, j)] = (which[AT(i, j)] + 1) & 7;
            }
    }
}

// Without a time loop the CPU would fill the table as often as the sweep is made.
void once(int n, int m, const double *restrict a, double *restrict b, const double *restrict k, const int *restrict which) {
    for (int i = 1; i < n - 1; i++)
        // CHECK: gathers.c:[[#@LINE+1]]:9: remark: loop nest not offloaded: the address of an array access is not a linear function of the loop variables (it uses an index read in the loop
        for (int j = 1; j < m - 1; j++)
            b[AT(i, j)] = k[which[AT(i, j)]] * (a[AT(i - 1, j)] + a[AT(i + 1, j)]);
}
