// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointers in structs that a nest loads only under a condition: they are loaded in front where a search finds a cell at
// which the program loads them. Not if the nest writes before, or loads one or the other.
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
// RUN: %clang -O3 -ffp-contract=off -fopenmp -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=OPENMP %s
// RUN: %clang -O2 -ffp-contract=off -S -emit-llvm -fpass-plugin=%plugin %s -o - | FileCheck --check-prefix=CODE %s
#define AT(i, j) ((long)(i) * m + (j))
typedef struct {
    float *f[9];
} cells;

// The search is made only where the runtime would be asked.
// CODE-LABEL: define {{.*}}@accelerate(
// CODE: call {{.*}}@stencilopt.ready(
// CODE-NEXT: br i1
// CODE-LABEL: define {{.*}}@density(
// CHECK: hidden.c:[[#@LINE+2]]:5: remark: 1-D sweep of 2 outputs runs on a GPU where there is one
void accelerate(int m, int row, const cells *c, const int *wall, float w) {
    for (int j = 0; j < m; j++)
        if (!wall[AT(row, j)] && c->f[3][AT(row, j)] - w > 0) {
            c->f[1][AT(row, j)] += w;
            c->f[3][AT(row, j)] -= w;
        }
}

// CHECK: hidden.c:[[#@LINE+6]]:5: remark: 2-D sweep for 2 values of all cells runs on a GPU where there is one
// OPENMP: hidden.c:[[#@LINE+4]]:1: remark: 2-D sweep for 2 values of all cells runs on a GPU where there is one
float density(int n, int m, const cells *restrict c, const int *restrict wall) {
    int free = 0;
    float sum = 0;
#pragma omp parallel for reduction(+ : free, sum)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (!wall[AT(i, j)]) {
                sum += c->f[0][AT(i, j)] * c->f[1][AT(i, j)];
                ++free;
            }
    return sum / (float)free;
}

void writes_before(int n, int m, const cells *c, const int *wall, float *out) {
    for (int i = 0; i < n; i++)
        // CHECK: hidden.c:[[#@LINE+1]]:9: remark: loop nest not offloaded: the address of an array access is not a linear function of the loop variables (a pointer or size is read in the loop under a condition)
        for (int j = 1; j < m - 1; j++) {
            out[AT(i, j)] = 1;
            if (!wall[AT(i, j)])
                out[AT(i, j)] = c->f[0][AT(i, j - 1)] + c->f[0][AT(i, j + 1)];
        }
}

void either(int n, int m, const cells *c, const int *wall, float *out) {
    for (int i = 0; i < n; i++)
        // CHECK: hidden.c:[[#@LINE+1]]:9: remark: loop nest not offloaded: the address of an array access is not a linear function of the loop variables (it uses a value computed in the loop: a value of line [[#@LINE+2]])
        for (int j = 1; j < m - 1; j++)
            if (!wall[AT(i, j)])
                out[AT(i, j)] = c->f[0][AT(i, j - 1)];
            else
                out[AT(i, j)] = c->f[1][AT(i, j - 1)];
}
