/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sweeps that use the same arrays by turns. Compiled twice: with PART=1 there are two of them, whose domains begin
 * at different cells, and main; with PART=2 a third one, which may have another layout. ROWS COLUMNS TIMES; prints
 * both arrays.
 */
#include <stdio.h>
#include <stdlib.h>

#ifndef REAL
#define REAL float
#endif

void third(int n, int m, const REAL u[n][m], REAL v[n][m]);

#if PART == 2
void third(int n, int m, const REAL u[n][m], REAL v[n][m]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            v[i][j] = u[i][j] + u[i - 1][j] * (REAL)0.5;
}
#else
__attribute__((noinline)) static void first(int n, int m, const REAL u[n][m], REAL v[n][m]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            v[i][j] = u[i][j - 1] - u[i + 1][j];
}

__attribute__((noinline)) static void second(int n, int m, const REAL u[n][m], REAL v[n][m]) {
    for (int i = 3; i < n - 2; i++)
        for (int j = 2; j < m - 3; j++)
            v[i][j] = u[i][j + 2] + u[i - 2][j] * (REAL)0.25;
}

int main(int argc, char **argv) {
    int n = atoi(argv[argc - 3]), m = atoi(argv[argc - 2]), times = atoi(argv[argc - 1]);
    size_t count = (size_t)n * (size_t)m;
    REAL *u = malloc(count * sizeof *u), *v = malloc(count * sizeof *v);
    for (size_t i = 0; i < count; i++) {
        u[i] = (REAL)(i * 2654435761u % 1009);
        v[i] = (REAL)i;
    }
    for (int t = 0; t < times; t++) {
        first(n, m, (void *)u, (void *)v);
        first(n, m, (void *)v, (void *)u);
        if (t % 3 == 1)
            second(n, m, (void *)u, (void *)v);
        if (t % 3 == 2)
            third(n, m, (void *)v, (void *)u);
        if (t % 4 == 3)
            u[count / 2] += v[count / 3]; /* the program looks */
    }
    for (size_t i = 0; i < count; i++)
        printf("%a %a\n", (double)u[i], (double)v[i]);
    free(u);
    free(v);
    return 0;
}
#endif
