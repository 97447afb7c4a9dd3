// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// layout=brick is told of, and why arrays lie in rows where it cannot be followed. Other values are refused.
// DEFINE: %{plan} = %clang -O2 -fpass-plugin=%plugin -Rpass-analysis=stencil -c %s -o /dev/null -mllvm
// RUN: %{plan} -stencilopt-layout=brick 2>&1 | FileCheck %s
// RUN: %{plan} -stencilopt-layout=rows 2>&1 | FileCheck %s -check-prefix=ROWS --implicit-check-not=bricks
// RUN: not %{plan} -stencilopt-layout=bricks 2>&1 | FileCheck %s -check-prefix=WRONG
// WRONG: option 'layout': 'bricks' is not allowed; allowed: rows or brick

// CHECK: plan: one kernel a time step, block 32x8x1, arrays in bricks of 32x8x1 [
// ROWS: plan: bT {{[0-9]+}},
void time2d(int n, int steps, float A[2][n][n]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                A[(t + 1) % 2][i][j] = A[t % 2][i][j - 1] + A[t % 2][i + 1][j];
}

// CHECK: plan: one kernel a time step, block 32x4x2, arrays in bricks of 32x4x4 [
// ROWS: plan: one kernel a time step, block 32x8x1
void sweep3d(int n, const double u[n][n][n], double out[restrict n][n][n]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++)
                out[i][j][k] = u[i][j][k - 1] + u[i + 1][j][k];
}

// CHECK: plan: bT {{[0-9]+}}, {{.*}}; arrays do not lie in bricks: it has one dimension [
// ROWS: plan: bT
void time1d(int n, int steps, float A[2][n]) {
    for (int t = 0; t < steps; t++)
        for (int j = 1; j < n - 1; j++)
            A[(t + 1) % 2][j] = A[t % 2][j - 1] + A[t % 2][j + 1];
}

// CHECK: plan: one kernel a sweep and time step; whole steps are not blocked: arrays lie in bricks [
// ROWS: plan: one kernel a sweep and time step; whole steps are not blocked: there is but one step, for no loop around the sweeps runs with them [
void outputs(int n, const float u[n][n], float x[restrict n][n], float y[restrict n][n]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            x[i][j] = u[i][j + 1] - u[i][j - 1];
            y[i][j] = u[i + 1][j] - u[i - 1][j];
        }
}

// CHECK: plan: {{.*}}; arrays do not lie in bricks: a time step has several sweeps;
// ROWS: plan:
void fields(int n, int steps, float e[restrict n][n], float h[restrict n][n]) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n; i++)
            for (int j = 1; j < n; j++)
                e[i][j] += h[i][j] - h[i - 1][j];
        for (int i = 0; i < n - 1; i++)
            for (int j = 0; j < n - 1; j++)
                h[i][j] += e[i + 1][j] - e[i][j];
    }
}
