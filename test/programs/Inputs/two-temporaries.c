/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Each time step has two arrays of 30 MB, one after the other. The argument: how many MB the program may use. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { N = 120, M = 62500 };

__attribute__((noinline)) void smooth(long n, long m, long steps, float *a) {
    for (long t = 0; t < steps; t++) {
        float *b = malloc((size_t)(n * m) * sizeof *b);
        for (long i = 1; i < n - 1; i++)
            for (long j = 0; j < m; j++)
                b[i * m + j] = 0.5f * (a[(i - 1) * m + j] + a[(i + 1) * m + j]);
        for (long i = 1; i < n - 1; i++)
            for (long j = 0; j < m; j++)
                a[i * m + j] = b[i * m + j];
        free(b);
        float *c = malloc((size_t)(n * m) * sizeof *c);
        for (long i = 1; i < n - 1; i++)
            for (long j = 0; j < m; j++)
                c[i * m + j] = 0.25f * (a[(i - 1) * m + j] + a[(i + 1) * m + j]);
        for (long i = 1; i < n - 1; i++)
            for (long j = 0; j < m; j++)
                a[i * m + j] = c[i * m + j];
        free(c);
    }
}

int main(int argc, char **argv) {
    rlim_t most = (rlim_t)(argc > 1 ? atol(argv[1]) : 4000) << 20;
    struct rlimit limit = {most, most};
    float *a = malloc(N * (size_t)M * sizeof *a);
    double sum = 0;
    for (long i = 0; i < (long)N * M; i++)
        a[i] = (float)(i % 101);
    setrlimit(RLIMIT_AS, &limit);
    smooth(N, M, 2, a);
    for (long i = 0; i < (long)N * M; i++)
        sum += a[i] * (double)(i % 7);
    printf("%.17g\n", sum);
}
