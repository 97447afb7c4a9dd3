/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Sweeps that write one array, by all of another one of which a part is on the device, and whose rows
 * have another length: what is held of the second grows in calls that find the first. */
#include <stdio.h>
#include <stdlib.h>

#ifndef REAL
#define REAL double
#endif
enum { MORE = 3, ARRAYS = 4 };

/* Of an array with rows of nx + MORE cells, without some rows at both ends. */
__attribute__((noinline)) static void part(long nx, long ny, long rows, REAL *to, const REAL *from) {
    long n = nx + MORE;
    for (long j = rows; j < ny - rows; j++)
        for (long i = 1; i < nx - 1; i++)
            to[j * n + i] = from[j * n + i - 1] + from[j * n + i + 1] * (REAL)0.5;
}

__attribute__((noinline)) static void sweep(long nx, long ny, REAL *to, const REAL *from) {
    long n = nx + MORE;
    for (long j = 0; j < ny; j++)
        for (long i = 0; i < nx; i++)
            to[j * nx + i] = (REAL)0.25 * to[j * nx + i] + from[j * n + i + 2] - from[j * n + i];
}

static double sum_of(size_t cells, const REAL *a) {
    double sum = 0;
    for (size_t i = 0; i < cells; i++)
        sum = sum * 0.999 + (double)a[i];
    return sum;
}

static REAL *array_of(size_t cells) {
    REAL *a = malloc(cells * sizeof *a);
    for (size_t i = 0; i < cells; i++)
        a[i] = (REAL)(i * 7 % 101) / 16;
    return a;
}

int main(int argc, char **argv) {
    long nx = argc > 1 ? atol(argv[1]) : 200, ny = argc > 2 ? atol(argv[2]) : 150;
    size_t cells = (size_t)(nx * ny), more = (size_t)((nx + MORE) * ny);
    REAL *a = array_of(cells), *c = array_of(more), *b[ARRAYS];
    for (int k = 0; k < ARRAYS; k++)
        b[k] = array_of(more);
    for (int k = 0; k < ARRAYS; k++) {
        part(nx, ny, k + 1, b[k], c);
        sweep(nx, ny, a, c);
        sweep(nx, ny, a, b[k]);
        printf("%a\n", sum_of(cells, a));
    }
    for (int k = 0; k < ARRAYS; k++) {
        printf("%a\n", sum_of(more, b[k]));
        free(b[k]);
    }
    free(a);
    free(c);
}
