// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O2 -ffp-contract=off -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=stencil -Rpass-analysis=stencil -c %s -o /dev/null 2>&1 | FileCheck %s
// Two sweeps that are not two time steps: one kernel each, in the time loop; and why.

#define GRID float (*restrict A)[m], float (*restrict B)[m], float (*restrict C)[m]
#define CELLS                                                                                      \
    for (int i = 1; i < n - 1; i++)                                                                \
        for (int j = 1; j < m - 1; j++)

void numbers(int T, int n, int m, GRID) {
    for (int t = 0; t < T; t++) {
        // CHECK: two-sweeps.c:[[#@LINE-1]]:{{[0-9]+}}: remark: plan: {{.*}}; not blocked as one sweep of a step: {{.*}} exchanged: they compute different values
        CELLS B[i][j] = 0.2f * A[i][j - 1] + A[i][j + 1];
        CELLS A[i][j] = 0.3f * B[i][j - 1] + B[i][j + 1];
    }
}
void order(int T, int n, int m, GRID) {
    for (int t = 0; t < T; t++) {
        // CHECK: two-sweeps.c:[[#@LINE-1]]:{{[0-9]+}}: remark: plan: {{.*}}; not blocked as one sweep of a step: {{.*}} exchanged: they compute different values
        CELLS B[i][j] = A[i][j - 1] + A[i][j + 1] + A[i][j];
        CELLS A[i][j] = B[i][j - 1] + (B[i][j + 1] + B[i][j]);
    }
}
void caller(int T, int n, int m, GRID, float p, float q) {
    for (int t = 0; t < T; t++) {
        // CHECK: two-sweeps.c:[[#@LINE-1]]:{{[0-9]+}}: remark: plan: {{.*}}; not blocked as one sweep of a step: {{.*}} exchanged: a number differs
        CELLS B[i][j] = p * A[i][j - 1] + A[i][j + 1];
        CELLS A[i][j] = q * B[i][j - 1] + B[i][j + 1];
    }
}
void cells(int T, int n, int m, GRID) {
    for (int t = 0; t < T; t++) {
        // CHECK: two-sweeps.c:[[#@LINE-1]]:{{[0-9]+}}: remark: plan: {{.*}}; not blocked as one sweep of a step: {{.*}} exchanged: they read different cells or arrays
        CELLS B[i][j] = A[i][j - 1] + A[i][j + 1];
        CELLS A[i][j] = B[i - 1][j] + B[i + 1][j];
    }
}
void domain(int T, int n, int m, GRID) {
    for (int t = 0; t < T; t++) {
        // CHECK: two-sweeps.c:[[#@LINE-1]]:{{[0-9]+}}: remark: plan: {{.*}}; not blocked as one sweep of a step: {{.*}} exchanged: their domains differ, or their loops are in another order
        CELLS B[i][j] = A[i][j - 1] + A[i][j + 1];
        for (int i = 1; i < n - 1; i++)
            for (int j = 2; j < m - 1; j++)
                A[i][j] = B[i][j - 1] + B[i][j + 1];
    }
}
void between(int T, int n, int m, GRID) {
    for (int t = 0; t < T; t++) {
        // CHECK: two-sweeps.c:[[#@LINE-1]]:{{[0-9]+}}: remark: plan: bT {{[0-9]+}} whole steps, {{[^;]*; [^;]*}} [
        CELLS B[i][j] = A[i][j - 1] + A[i][j + 1];
        B[2][2] = 0;
        CELLS A[i][j] = B[i][j - 1] + B[i][j + 1];
    }
}
float sum(int T, int n, int m, GRID) {
    float s = 0;
    for (int t = 0; t < T; t++) {
        // CHECK: two-sweeps.c:[[#@LINE+1]]:{{[0-9]+}}: remark: the sweep is offloaded without the loop around it, {{.*}}(sweep 2 of 2, line {{[0-9]+}}: {{.*}}it does not start anew in each time step
        CELLS B[i][j] = A[i][j - 1] + A[i][j + 1];
        // CHECK: two-sweeps.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: a value computed in the nest is used after it
        CELLS {
            A[i][j] = B[i][j - 1] + B[i][j + 1];
            s += A[i][j];
        }
    }
    return s;
}
void in_place(int T, int n, int m, GRID) {
    for (int t = 0; t < T; t++) {
        // CHECK: two-sweeps.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the nest reads neighbours from the array it writes
        CELLS B[i][j] = A[i][j - 1] + B[i + 1][j] + B[i - 1][j];
        // CHECK: two-sweeps.c:[[#@LINE+1]]:{{[0-9]+}}: remark: loop nest not offloaded: the nest reads neighbours from the array it writes
        CELLS A[i][j] = B[i][j - 1] + A[i + 1][j] + A[i - 1][j];
    }
}
void third(int T, int n, int m, GRID) {
    for (int t = 0; t < T; t++) {
        // CHECK: two-sweeps.c:[[#@LINE-1]]:{{[0-9]+}}: remark: plan: {{.*}}; not blocked as one sweep of a step: {{.*}} exchanged: the second does not write the array that the first reads
        CELLS B[i][j] = A[i][j - 1] + A[i][j + 1];
        CELLS C[i][j] = B[i][j - 1] + B[i][j + 1];
    }
}
void steps(int T, int n, int m, GRID) {
    for (int t = 0; t < T; t++) {
        // CHECK: two-sweeps.c:[[#@LINE-1]]:{{[0-9]+}}: remark: plan: {{.*}}; not blocked as one sweep of a step: {{.*}} exchanged: a value changes with the time loop, but not evenly with its sweeps
        CELLS B[i][j] = A[i][j - 1] + A[i][j + 1] + t;
        CELLS A[i][j] = B[i][j - 1] + B[i][j + 1] + t;
    }
}
void lengths(int T, int n, int m, int l, float (*restrict A)[m], float (*restrict B)[l]) {
    for (int t = 0; t < T; t++) {
        // CHECK: two-sweeps.c:[[#@LINE-1]]:{{[0-9]+}}: remark: plan: {{.*}}; not blocked as one sweep of a step: {{.*}} exchanged: the rows of the two arrays have different lengths
        CELLS B[i][j] = A[i][j - 1] + A[i][j + 1];
        CELLS A[i][j] = B[i][j - 1] + B[i][j + 1];
    }
}
void either(int T, int n, int m, GRID) {
    for (int t = 0; t < T; t++) {
        if (t % 2 == 0) {
            // CHECK-DAG: two-sweeps.c:[[#@LINE+1]]:{{[0-9]+}}: remark: {{.*}}an inner loop runs only under a condition
            CELLS B[i][j] = A[i][j - 1] + A[i][j + 1];
        } else {
            // CHECK-DAG: two-sweeps.c:[[#@LINE+1]]:{{[0-9]+}}: remark: {{.*}}an inner loop runs only under a condition
            CELLS A[i][j] = B[i][j - 1] + B[i][j + 1];
        }
    }
}
