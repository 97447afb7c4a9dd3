/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A time loop whose sweeps an OpenMP team shares.
 */
#include <stdio.h>

enum { N = 300, STEPS = 20 };
static double a[N][N], b[N][N];

__attribute__((noinline)) static void run(int steps) {
    for (int t = 0; t < steps; t++) {
        double(*from)[N] = t % 2 ? b : a, (*to)[N] = t % 2 ? a : b;
#pragma omp parallel for
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                to[i][j] = 0.2 * (from[i][j] + from[i - 1][j] + from[i + 1][j] + from[i][j - 1] +
                                  from[i][j + 1]);
    }
}

int main(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = b[i][j] = (i * 7 + j * 3) % 11;
    run(STEPS);
    double sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sum += a[i][j];
    printf("%.17g\n", sum);
    return 0;
}
