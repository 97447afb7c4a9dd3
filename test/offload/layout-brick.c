// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// layout=brick is told of, and why arrays lie in rows where it cannot be followed. Other values are refused.
// DEFINE: %{plan} = %clang -O2 -fpass-plugin=%plugin -Rpass-analysis=stencil -c %s -o /dev/null -mllvm
// RUN: %{plan} -stencilopt-layout=brick 2>&1 | FileCheck %s
// RUN: %{plan} -stencilopt-layout=rows 2>&1 | FileCheck %s -check-prefix=ROWS --implicit-check-not="in bricks"
// RUN: not %{plan} -stencilopt-layout=bricks 2>&1 | FileCheck %s -check-prefix=WRONG
// WRONG: option 'layout': 'bricks' is not allowed; allowed: rows or brick
// Bricks, lanes and shuffles as options say.
// RUN: %{plan} -stencilopt-layout=brick -mllvm -stencilopt-brick=8x4x2 -mllvm -stencilopt-fold=4x4x2 -mllvm -stencilopt-shuffle=1 2>&1 | \
// RUN:   FileCheck %s -check-prefix=FOLDED
// RUN: %{plan} -stencilopt-shuffle=1 2>&1 | FileCheck %s -check-prefix=SHUFFLED --implicit-check-not="in bricks"
// RUN: not %{plan} -stencilopt-brick=12x4 2>&1 | FileCheck %s -check-prefix=BRICK
// BRICK: option 'brick': '12x4' is not allowed; allowed: 0 (the model chooses), or WIDTHxHEIGHT or WIDTHxHEIGHTxDEPTH: powers of two up to 32, the width 4 at least
// RUN: not %{plan} -stencilopt-brick=2x4 2>&1 | FileCheck %s -check-prefix=NARROW
// NARROW: option 'brick': '2x4' is not allowed
// RUN: not %{plan} -stencilopt-brick=8x4x4x 2>&1 | FileCheck %s -check-prefix=MORE
// MORE: option 'brick': '8x4x4x' is not allowed
// RUN: not %{plan} -stencilopt-fold=8x8 2>&1 | FileCheck %s -check-prefix=FOLD
// FOLD: option 'fold': '8x8' is not allowed; allowed: 0 (the model chooses), or WIDTHxHEIGHT or WIDTHxHEIGHTxDEPTH: powers of two, 32 lanes in all
// RUN: not %{plan} -stencilopt-shuffle=2 2>&1 | FileCheck %s -check-prefix=SHUFFLE
// SHUFFLE: option 'shuffle': '2' is not allowed; allowed: 0 or 1

// CHECK: plan: one kernel a time step, block 32x8x1, arrays in bricks of 32x8x1 [
// ROWS: plan: bT {{[0-9]+}},
// FOLDED: plan: one kernel a time step, block 4x64x1, arrays in bricks of 8x4x1 [
// SHUFFLED: plan: bT
void time2d(int n, int steps, float A[2][n][n]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                A[(t + 1) % 2][i][j] = A[t % 2][i][j - 1] + A[t % 2][i + 1][j];
}

// CHECK: plan: one kernel a time step, block 32x4x2, arrays in bricks of 32x4x4 [
// ROWS: plan: one kernel a time step, block 32x8x1
// FOLDED: plan: one kernel a time step, block 4x4x16, arrays in bricks of 8x4x2 [
// SHUFFLED: plan: one kernel a time step, block 32x8x1, neighbours by shuffles; time steps are not blocked: there is no time loop [
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

// SHUFFLED: plan: one kernel a time step, block 32x8x1, neighbours by shuffles; time steps are not blocked: there is no time loop [
// FOLDED: plan: one kernel a time step, block 4x64x1, neighbours by shuffles, arrays in bricks of 8x4x1 [
void star2d(int n, const float u[n][n], float out[restrict n][n]) {
    for (int i = 2; i < n - 2; i++)
        for (int j = 2; j < n - 2; j++)
            out[i][j] = u[i][j - 2] + u[i][j - 1] + u[i][j] + u[i][j + 1] + u[i][j + 2] + u[i - 2][j] + u[i + 2][j];
}
