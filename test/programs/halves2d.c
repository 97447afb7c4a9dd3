/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A sweep whose two outputs are the left and the right half of one array: halves2d ROWS HALF prints
 * all of it.
 */
#include <stdio.h>
#include <stdlib.h>

#ifndef REAL
#define REAL float
#endif

__attribute__((noinline)) static void halves(int n, int h, const REAL u[n][2 * h], REAL a[n][2 * h]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < h - 1; j++) {
            a[i][j] = u[i][j - 1] + u[i][j + 1];
            a[i][h + j] = u[i - 1][j] - u[i + 1][j];
        }
}

int main(int argc, char **argv) {
    int n = atoi(argv[argc - 2]), h = atoi(argv[argc - 1]);
    size_t count = (size_t)n * 2 * (size_t)h;
    REAL *u = malloc(count * sizeof *u), *a = malloc(count * sizeof *a);
    for (size_t i = 0; i < count; i++) {
        u[i] = (REAL)(i * 2654435761u % 1009);
        a[i] = (REAL)i;
    }
    halves(n, h, (void *)u, (void *)a);
    for (size_t i = 0; i < count; i++)
        printf("%a\n", (double)a[i]);
    free(u);
    free(a);
    return 0;
}
