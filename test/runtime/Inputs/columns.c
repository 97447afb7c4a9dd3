/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * A sweep of the inner cells, and columns of the frame that mirror cells inside: loops that walk the
 * array's columns down, row by row or column by column. */
#include <stdio.h>
#include <stdlib.h>

#ifndef REAL
#define REAL double
#endif
enum { DEPTH = 2 };
#define AT(a, j, i) (a)[(j) * (nx + 2 * DEPTH) + (i)]

__attribute__((noinline)) static void sweep(long nx, long ny, REAL *to, const REAL *from) {
    for (long j = 0; j < ny; j++)
        for (long i = DEPTH; i < nx + DEPTH; i++)
            AT(to, j, i) =
                (REAL)0.25 * (AT(from, j, i) + AT(from, j, i - 2) - AT(from, j, i + 2)) + 1;
}

__attribute__((noinline)) static void left(long nx, long ny, long depth, REAL *a) {
    for (long j = 0; j < ny; j++)
        for (long k = 1; k <= depth; k++)
            AT(a, j, DEPTH - k) = AT(a, j, DEPTH - 1 + k);
}

__attribute__((noinline)) static void right(long nx, long ny, long depth, REAL *a) {
    for (long k = 1; k <= depth; k++)
        for (long j = 0; j < ny; j++)
            AT(a, j, nx + DEPTH - 1 + k) = AT(a, j, nx + DEPTH - k);
}

int main(int argc, char **argv) {
    long nx = argc > 1 ? atol(argv[1]) : 200, ny = argc > 2 ? atol(argv[2]) : 150;
    long depth = argc > 3 ? atol(argv[3]) : DEPTH, steps = argc > 4 ? atol(argv[4]) : 12;
    size_t cells = (size_t)((nx + 2 * DEPTH) * ny);
    REAL *a = malloc(cells * sizeof *a), *b = malloc(cells * sizeof *b);
    for (size_t i = 0; i < cells; i++)
        a[i] = b[i] = (REAL)(i * 7 % 101) / 16;
    for (long t = 0; t < steps; t++) {
        sweep(nx, ny, b, a);
        left(nx, ny, depth, b);
        right(nx, ny, depth, b);
        REAL *c = a;
        a = b;
        b = c;
    }
    double sum = 0;
    for (size_t i = 0; i < cells; i++)
        sum = sum * 0.999 + (double)a[i] + 3 * (double)b[i];
    printf("%a\n", sum);
    free(a);
    free(b);
}
