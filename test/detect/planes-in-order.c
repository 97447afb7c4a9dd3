// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Only the outermost loop carries values from one iteration to the next, as in an array that keeps all time steps, or where
// each plane is computed from the one below. The sweeps in it run on the GPU, those of an iteration together.
// RUN: %clang -O2 -gline-tables-only -fpass-plugin=%plugin -Rpass=stencil -Rpass-missed=stencil -c %s -o /dev/null 2>&1 | FileCheck --implicit-check-not=remark: %s

void one(int T, int n, int m, double u[T + 1][n][m]) {
    for (int t = 0; t < T; t++)
        for (int i = 1; i < n - 1; i++)
            // CHECK: planes-in-order.c:[[#@LINE+2]]:13: remark: the sweep is offloaded without the loop around it, so arrays may be copied in each iteration of the outer loop: the array written keeps all time steps, each computed from the one before (f[t + 1] from f[t]); keep two of them, such as f[t % 2], or exchange two arrays
            // CHECK: planes-in-order.c:[[#@LINE+1]]:13: remark: 2-D stencil of radius {{[12]}}, 5 cells read, f64, runs on a GPU where there is one: one sweep a call
            for (int j = 1; j < m - 1; j++)
                u[t + 1][i][j] = u[t][i][j] + 0.1 * (u[t][i][j - 1] + u[t][i][j + 1] + u[t][i - 1][j] + u[t][i + 1][j]);
}
void two(int T, int n, int m, double u[T + 1][n][m], double v[T + 1][n][m]) {
    for (int t = 0; t < T; t++)
        // CHECK: planes-in-order.c:[[#@LINE+1]]:9: remark: 2-D sweep of 2 outputs runs on a GPU where there is one, a kernel a sweep
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                u[t + 1][i][j] = u[t][i][j] + 0.1 * (v[t][i][j - 1] + u[t][i][j + 1] - u[t][i - 1][j]);
                v[t + 1][i][j] = v[t][i][j] + 0.1 * (u[t][i][j - 1] + v[t][i][j + 1] - v[t][i - 1][j]);
            }
}
void with_edges(int T, int n, int m, double u[T + 1][n][m]) {
    for (int t = 0; t < T; t++) {
        // CHECK: planes-in-order.c:[[#@LINE+1]]:9: remark: 2-D sequence of 3 sweeps runs on a GPU where there is one, a kernel a sweep
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                u[t + 1][i][j] = u[t][i][j] + 0.1 * (u[t][i][j - 1] + u[t][i][j + 1] - 2 * u[t][i - 1][j]);
        for (int j = 0; j < m; j++) {
            u[t + 1][0][j] = 1;
            u[t + 1][n - 1][j] = u[t + 1][n - 2][j];
        }
        for (int i = 0; i < n; i++) {
            u[t + 1][i][0] = 2;
            u[t + 1][i][m - 1] = u[t + 1][i][m - 2];
        }
    }
}
void upwards(int l, int n, int m, const float w[l][n][m], float p[restrict l][n][m]) {
    for (int k = 1; k < l; k++)
        for (int i = 0; i < n; i++)
            // CHECK: planes-in-order.c:[[#@LINE+2]]:13: remark: the sweep is offloaded without the loop around it, so arrays may be copied in each iteration of the outer loop: the array written keeps all time steps, each computed from the one before
            // CHECK: planes-in-order.c:[[#@LINE+1]]:13: remark: 2-D stencil of radius 0, 2 cells read, f32, runs on a GPU where there is one: one sweep a call
            for (int j = 0; j < m; j++)
                p[k][i][j] = p[k - 1][i][j] + w[k][i][j] * 3;
}
// Each cell is computed from one of its plane.
void seidel(int l, int n, int m, float p[l][n][m]) {
    for (int k = 1; k < l - 1; k++)
        for (int i = 1; i < n - 1; i++)
            // CHECK: planes-in-order.c:[[#@LINE+1]]:13: remark: loop nest not offloaded: the nest reads neighbours from the array it writes
            for (int j = 1; j < m - 1; j++)
                p[k][i][j] = p[k - 1][i][j] + p[k][i - 1][j] + p[k][i][j + 1];
}
void seidel_two(int l, int n, int m, float p[restrict l][n][m], float q[restrict l][n][m]) {
    for (int k = 1; k < l - 1; k++)
        for (int i = 1; i < n - 1; i++)
            // CHECK: planes-in-order.c:[[#@LINE+1]]:13: remark: loop nest not offloaded: the nest reads neighbours from the array it writes
            for (int j = 1; j < m - 1; j++) {
                p[k][i][j] = p[k - 1][i][j] + p[k][i - 1][j];
                q[k][i][j] = q[k - 1][i][j] + q[k][i][j - 1];
            }
}
