// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cells of one colour of two whose rows OpenMP shares.
// RUN: %clang -O2 -fopenmp -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
// RUN: %clang -O3 -fopenmp -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s
#define CROSS(i, j) (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[(i)*m + j - 1] + u[(i)*m + j + 1] - f[(i)*m + j])

// CHECK-DAG: colours-openmp.c:[[#@LINE+2]]:5: remark: 2-D time loop of 2 sweeps runs on a GPU where there is one, bT {{[0-9]+}} whole steps of 2 arrays
void both(int n, int m, int steps, double *u, const double *f) {
    for (int t = 0; t < steps; t++)
        for (int colour = 0; colour < 2; colour++)
#pragma omp parallel for
            for (int i = 1; i < n - 1; i++)
                for (int j = 1 + (i + colour) % 2; j < m - 1; j += 2)
                    u[i * m + j] = 0.25 * CROSS(i, j);
}

// CHECK-DAG: colours-openmp.c:[[#@LINE+2]]:5: remark: 2-D time loop of 2 sweeps runs on a GPU where there is one, bT {{[0-9]+}} whole steps of 2 arrays
void starts(int n, int m, int steps, double *restrict u, const double *restrict f) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for schedule(static)
        for (int i = 1; i < n - 1; i++) {
            int first = i & 1 ? 1 : 2;
            for (int j = first; j < m - 1; j += 2)
                u[i * m + j] = 0.25 * CROSS(i, j);
        }
#pragma omp parallel for schedule(static)
        for (int i = 1; i < n - 1; i++) {
            int first = i & 1 ? 2 : 1;
            for (int j = first; j < m - 1; j += 2)
                u[i * m + j] = 0.25 * CROSS(i, j);
        }
    }
}

// One region for both colours. LLVM lets their loops have the same bounds' variables.
// CHECK-DAG: colours-openmp.c:[[#@LINE+2]]:5: remark: 2-D time loop of 2 sweeps runs on a GPU where there is one, bT {{[0-9]+}} whole steps of 2 arrays
void one_region(int n, int m, int steps, double *restrict u, const double *restrict f) {
    for (int t = 0; t < steps; t++)
#pragma omp parallel
        for (int colour = 0; colour < 2; colour++)
#pragma omp for
            for (int i = 1; i < n - 1; i++)
                for (int j = 1 + (i + colour) % 2; j < m - 1; j += 2)
                    u[i * m + j] = 0.25 * CROSS(i, j);
}

// That both are never negative is tested in front, for rows apart.
// CHECK-DAG: colours-openmp.c:[[#@LINE+2]]:5: remark: 2-D time loop of 4 sweeps runs on a GPU where there is one, a kernel a sweep
void condition(int n, int m, int steps, double *restrict u, const double *restrict f) {
    for (int t = 0; t < steps; t++)
        for (int colour = 0; colour < 2; colour++)
#pragma omp parallel for
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < m - 1; j++)
                    if ((i + j) % 2 == colour)
                        u[i * m + j] = 0.25 * CROSS(i, j);
}

// Cells of their own colour are read.
void same_colour(int n, int m, int steps, double *restrict u, const double *restrict f) {
    for (int t = 0; t < steps; t++)
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            // CHECK-DAG: colours-openmp.c:[[#@LINE+1]]:13: remark: loop nest not offloaded: the bounds of an inner loop depend on an outer loop's variable
            for (int j = 1 + (i & 1); j < m - 1; j += 2)
                u[i * m + j] = 0.25 * CROSS(i, j) + u[(i - 1) * m + j - 1];
}

// Beside the greatest residual of all cells, of an int's rows: the loop in a row ends by an unsigned
// comparison, the guard in front of it by a signed one.
// CHECK-DAG: colours-openmp.c:[[#@LINE+3]]:5: remark: 2-D time loop of 3 sweeps, which ends by what each step computes, runs on a GPU where there is one
double residual(int m, int steps, double (*u)[64], double (*f)[64], double limit) {
    double most = 1e9;
    for (int t = 0; t < steps && most > limit; t++) {
#pragma omp parallel for
        for (int i = 1; i < m + 1; i++)
            for (int j = i % 2 + 1; j < m + 1; j += 2)
                u[i][j] += 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) - u[i][j];
#pragma omp parallel for
        for (int i = 1; i < m + 1; i++)
            for (int j = (i + 1) % 2 + 1; j < m + 1; j += 2)
                u[i][j] += 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) - u[i][j];
        most = 0;
        for (int i = 1; i < m + 1; i++)
            for (int j = 1; j < m + 1; j++) {
                double d = u[i][j] > f[i][j] ? u[i][j] - f[i][j] : f[i][j] - u[i][j];
                if (d > most)
                    most = d;
            }
    }
    return most;
}
