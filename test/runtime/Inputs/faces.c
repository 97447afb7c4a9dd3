/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * A face of a cube, made from that of another one, which is held whole; its rows are the planes of
 * that one. Both take turns. */
#include <stdio.h>
#include <stdlib.h>

#ifndef REAL
#define REAL double
#endif
#define AT(a, i, j, k) a[((i) * n + (j)) * m + (k)]

__attribute__((noinline)) static void smooth(const REAL *restrict a, REAL *restrict c, long n,
                                             long m) {
    for (long i = 1; i < n - 1; i++)
        for (long j = 0; j < n; j++)
            for (long k = 1; k < m - 1; k++)
                AT(c, i, j, k) = (REAL)0.5 * AT(a, i, j, k) +
                                 (REAL)0.25 * (AT(a, i - 1, j, k) + AT(a, i, j, k + 1));
}

__attribute__((noinline)) static void face(REAL *a, REAL *b, REAL *sums, long n, long m,
                                           int steps) {
    for (int t = 0; t < steps; t++) {
        for (long i = 1; i < n - 1; i++)
            for (long k = 1; k < m - 1; k++)
                AT(b, i, 0, k) =
                    (REAL)0.25 * (AT(a, i - 1, 0, k) + AT(a, i + 1, 0, k) + AT(a, i, 0, k - 1)) +
                    (REAL)0.125 * AT(a, i, 0, k + 1);
        for (long i = 0; i < n; i++)
            for (long k = 0; k < m; k++)
                sums[i * m + k] = (REAL)0.5 * sums[i * m + k] + AT(b, i, 0, k);
        REAL *other = a;
        a = b;
        b = other;
    }
}

int main(int argc, char **argv) {
    long n = argc > 1 ? atol(argv[1]) : 40, m = argc > 2 ? atol(argv[2]) : 64, all = n * n * m;
    int steps = argc > 3 ? atoi(argv[3]) : 1;
    REAL *a = calloc((size_t)all, sizeof *a), *b = calloc((size_t)all, sizeof *b);
    REAL *c = calloc((size_t)all, sizeof *c), *sums = calloc((size_t)(n * m), sizeof *sums);
    for (long i = 0; i < all; i++)
        a[i] = (REAL)(i % 17) / 8;
    for (int t = 0; t < 16; t++) {
        smooth(a, c, n, m);
        face(a, b, sums, n, m, steps);
    }
    for (long i = 0; i < all; i++)
        printf("%a %a %a\n", (double)a[i], (double)b[i], (double)c[i]);
    for (long i = 0; i < n * m; i++)
        printf("%a\n", (double)sums[i]);
    return 0;
}
