/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Whole time loops that need sums of floating-point numbers in each step, in the program's order.
 *   clang -O3 -ffp-contract=off -DREAL=double sums.c -lm -o plain
 *   clang -O3 -ffp-contract=off -DREAL=double -fpass-plugin=libstencilopt.so sums.c -lm -o gpu
 *   ./plain cg 4096 8; STENCILOPT_DEVICE=cuda ./gpu cg 4096 8
 * cg: conjugate gradients; filter: mean and variance; residual: a norm that ends the loop. Runs
 * twice; prints milliseconds a step, with transfers, and a hash of the bits of all arrays.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifndef REAL
#define REAL double
#endif
typedef REAL real;
#define EACH                                                                                       \
    for (long i = 1; i < n - 1; i++)                                                               \
        for (long j = 1; j < m - 1; j++)
#define AT(x) x[i * m + j]
#define AROUND(x) (x[(i - 1) * m + j] + x[(i + 1) * m + j] + x[i * m + j - 1] + x[i * m + j + 1])
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}
__attribute__((noinline)) real cg(long n, long m, long steps, real *restrict a, real *restrict b,
                                  real *restrict c, real *restrict d) {
    real old = 0;
    EACH old += AT(a) * AT(a);
    for (long t = 0; t < steps && old > (real)1e-30; t++) {
        real product = 0, now = 0;
        EACH {
            AT(c) = (real)4.5 * AT(b) - AROUND(b);
            product += AT(c) * AT(b);
        }
        real alpha = old / product;
        EACH {
            AT(d) += alpha * AT(b);
            AT(a) -= alpha * AT(c);
            now += AT(a) * AT(a);
        }
        real beta = now / old;
        EACH AT(b) = AT(a) + beta * AT(b);
        old = now;
    }
    return old;
}
__attribute__((noinline)) real filter(long n, long m, long steps, real *restrict a,
                                      real *restrict b) {
    real q = 0;
    for (long t = 0; t < steps; t++) {
        real sum = 0, squares = 0;
        EACH {
            sum += AT(a);
            squares += AT(a) * AT(a);
        }
        real mean = sum / (real)((n - 2) * (m - 2));
        q = (squares / (real)((n - 2) * (m - 2)) - mean * mean) / (mean * mean + 1);
        EACH AT(b) = 1 / (1 + (AROUND(a) - 4 * AT(a)) * (AT(a) - q));
        EACH AT(a) = AT(a) + (real)0.1 * (AT(b) + b[(i + 1) * m + j] - q);
    }
    return q;
}
__attribute__((noinline)) real residual(long n, long m, long steps, real *restrict a,
                                        real *restrict b) {
    real norm = 1;
    for (long t = 0; t < steps && norm > (real)1e-12; t++) {
        real sum = 0;
        EACH {
            AT(b) = (real)0.25 * AROUND(a);
            sum += (AT(b) - AT(a)) * (AT(b) - AT(a));
        }
        EACH AT(a) = AT(b);
        norm = (real)sqrt(sum);
    }
    return norm;
}
int main(int argc, char **argv) {
    long n = atol(argv[2]), m = n + 3, steps = atol(argv[3]);
    real *x[4];
    for (int k = 0; k < 4; k++)
        x[k] = calloc(n * m, sizeof(real));
    for (int runs = 0; runs < 2; runs++) {
        for (int k = 0; k < 4; k++)
            memset(x[k], 0, n * m * sizeof(real));
        EACH x[0][i * m + j] = x[1][i * m + j] =
            (real)((i * 7919 + j * 104729) % 1000) / 1000 - (real)(strcmp(argv[1], "cg") ? 0 : 0.3);
        double start = now();
        real r = !strcmp(argv[1], "cg")       ? cg(n, m, steps, x[0], x[1], x[2], x[3])
                 : !strcmp(argv[1], "filter") ? filter(n, m, steps, x[0], x[1])
                                              : residual(n, m, steps, x[0], x[1]);
        double took = now() - start;
        unsigned long long h = 0;
        for (int k = 0; k < 4; k++)
            for (long i = 0; i < n * m; i++) {
                unsigned long long bits = 0;
                memcpy(&bits, &x[k][i], sizeof(real));
                h = (h ^ bits) * 1099511628211ull;
            }
        printf("%-9s %ld^2 x %ld: %9.3f ms a step, result %.17g, hash %016llx\n", argv[1], n, steps,
               1e3 * took / steps, (double)r, h);
        fflush(stdout);
    }
}
