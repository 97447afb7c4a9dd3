/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A time loop over tables of rows that may stop before it reads the outermost rows of the second
 * table. It runs three times, and the program looks at no row between; behind it only if it has an
 * argument. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { N = 130, M = 1024 };

__attribute__((noinline)) static int drive(int n, int m, int steps, double **a, double **b,
                                           const double *limit) {
    double most = 1e9;
    int t = 0;
    while (most > *limit && t < steps) {
        most = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                double v = 0.25 * (a[i - 1][j] + a[i][j + 1] + a[i][j - 1] + a[i + 1][j]);
                double d = v > a[i][j] ? v - a[i][j] : a[i][j] - v;
                if (d > most)
                    most = d;
                b[i][j] = v;
            }
        double **c = a;
        a = b;
        b = c;
        t++;
    }
    return t;
}

static double **make(double *cells) {
    double **rows = malloc(N * sizeof *rows);
    for (int i = 0; i < N; i++) {
        rows[i] = cells + (long)i * M;
        for (int j = 0; j < M; j++)
            rows[i][j] = i * 7919 % 101 + j % 13;
    }
    return rows;
}

int main(int count, char **arguments) {
    (void)arguments;
    size_t bytes = sizeof(double) * N * M;
    double *cells[2], limit = 0.001, sum = 0;
    for (int k = 0; k < 2; k++)
        cells[k] = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    double **a = make(cells[0]), **b = make(cells[1]);
    for (int run = 0; run < 3; run++)
        drive(N, M, 4, a, b, &limit);
    for (int k = 0; k < 2 && count > 1; k++)
        for (long i = 0; i < (long)N * M; i++)
            sum += cells[k][i];
    printf("%.17g\n", sum);
    return 0;
}
