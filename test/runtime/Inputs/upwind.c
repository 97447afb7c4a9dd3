/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Each cell reads its neighbours on the side that the flux comes from. */
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static void upwind(long n, long m, double *to, const double *flux,
                                             const double *v) {
    for (long k = 2; k < n - 2; k++)
        for (long j = 0; j < m; j++) {
            long donor, up, down;
            if (flux[k * m + j] < 0) {
                up = k + 2;
                donor = k + 1;
                down = k;
            } else {
                up = k - 1;
                donor = k;
                down = k + 1;
            }
            double a = v[donor * m + j] - v[up * m + j], b = v[down * m + j] - v[donor * m + j];
            to[k * m + j] = v[donor * m + j] + 0.25 * a * b * flux[k * m + j];
        }
}

int main(int argc, char **argv) {
    long n = argc > 1 ? atol(argv[1]) : 120, m = argc > 2 ? atol(argv[2]) : 131;
    int steps = argc > 3 ? atoi(argv[3]) : 12;
    size_t cells = (size_t)(n * m);
    double *a = malloc(cells * sizeof *a), *b = malloc(cells * sizeof *b), sum = 0;
    double *flux = malloc(cells * sizeof *flux);
    for (size_t i = 0; i < cells; i++) {
        a[i] = b[i] = (double)(i * 7 % 101) / 128;
        flux[i] = (double)(i * 13 % 31) / 16 - 1;
    }
    for (int t = 0; t < steps; t++) {
        upwind(n, m, b, flux, a);
        double *c = a;
        a = b;
        b = c;
    }
    for (size_t i = 0; i < cells; i++)
        sum = sum * 0.999 + a[i] + 3 * b[i];
    printf("%a\n", sum);
    free(a);
    free(b);
    free(flux);
    return 0;
}
