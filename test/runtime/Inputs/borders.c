/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Sweeps that each use another part of the same arrays: the inner cells, borders copied from
 * inside, mirrored, and single planes across. */
#include <stdio.h>
#include <stdlib.h>

#ifndef REAL
#define REAL double
#endif
enum { DEPTH = 2 };
typedef REAL real;
#define AT(a, k, j, i) (a)[((k) * (ny + 2 * DEPTH) + (j)) * (nx + 2 * DEPTH) + (i)]

__attribute__((noinline)) static void sweep(long nx, long ny, long nz, real *to, const real *from) {
    for (long k = DEPTH; k < nz + DEPTH; k++)
        for (long j = DEPTH; j < ny + DEPTH; j++)
            for (long i = DEPTH; i < nx + DEPTH; i++)
                AT(to, k, j, i) = (real)0.25 * (AT(from, k, j, i) + AT(from, k - 1, j, i) +
                                                AT(from, k, j - 1, i) + AT(from, k, j + 1, i) -
                                                AT(from, k + 1, j, i));
}

/* Rows at both ends of each plane: to the border from the mirrored ones inside. */
__attribute__((noinline)) static void rows(long nx, long ny, long nz, long depth, real *a) {
    for (long k = DEPTH; k < nz + DEPTH; k++)
        for (long j = 1; j <= depth; j++)
            for (long i = DEPTH; i < nx + DEPTH; i++)
                AT(a, k, DEPTH - j, i) = AT(a, k, DEPTH - 1 + j, i);
    for (long k = DEPTH; k < nz + DEPTH; k++)
        for (long j = 1; j <= depth; j++)
            for (long i = DEPTH; i < nx + DEPTH; i++)
                AT(a, k, ny + DEPTH - 1 + j, i) = AT(a, k, ny + DEPTH - j, i);
}

/* Planes at both ends. */
__attribute__((noinline)) static void planes(long nx, long ny, long nz, long depth, real *a) {
    for (long k = 1; k <= depth; k++)
        for (long j = 0; j < ny + 2 * DEPTH; j++)
            for (long i = DEPTH; i < nx + DEPTH; i++)
                AT(a, DEPTH - k, j, i) = AT(a, DEPTH - 1 + k, j, i);
    for (long k = 1; k <= depth; k++)
        for (long j = 0; j < ny + 2 * DEPTH; j++)
            for (long i = DEPTH; i < nx + DEPTH; i++)
                AT(a, nz + DEPTH - 1 + k, j, i) = AT(a, nz + DEPTH - k, j, i);
}

/* A row of each plane, in a nest of two loops. */
__attribute__((noinline)) static void across(long nx, long ny, long nz, real *a) {
    for (long k = DEPTH; k < nz + DEPTH; k++)
        for (long i = DEPTH; i < nx + DEPTH; i++)
            AT(a, k, 3, i) = (real)0.5 * (AT(a, k, 4, i) + AT(a, k, 5, i));
}

int main(int argc, char **argv) {
    long nx = argc > 1 ? atol(argv[1]) : 61, ny = argc > 2 ? atol(argv[2]) : 30;
    long nz = argc > 3 ? atol(argv[3]) : 20, depth = argc > 4 ? atol(argv[4]) : DEPTH;
    int steps = argc > 5 ? atoi(argv[5]) : 12, ends = argc > 6 ? atoi(argv[6]) : 3;
    size_t cells = (size_t)((nx + 2 * DEPTH) * (ny + 2 * DEPTH) * (nz + 2 * DEPTH));
    real *a = malloc(cells * sizeof *a), *b = malloc(cells * sizeof *b);
    for (size_t i = 0; i < cells; i++)
        a[i] = b[i] = (real)(i * 7 % 101) / 16;
    for (int t = 0; t < steps; t++) {
        sweep(nx, ny, nz, b, a);
        if (ends & 1)
            rows(nx, ny, nz, depth, b);
        if (ends & 2)
            planes(nx, ny, nz, depth, b);
        across(nx, ny, nz, b);
        real *c = a;
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
