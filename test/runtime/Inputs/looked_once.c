/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * looked_once STEPS EVERY: sweeps over two arrays. Some rows are read and written in step 5, and with EVERY 1
 * in each step from then on.
 */
#include <stdio.h>
#include <stdlib.h>

enum { NX = 500, NY = 600 };

__attribute__((noinline)) static void sweep(long nx, long ny, double *to, const double *from) {
    for (long j = 1; j < ny - 1; j++)
        for (long i = 1; i < nx - 1; i++)
            to[j * nx + i] = (from[j * nx + i - 1] + from[j * nx + i + 1] + from[(j - 1) * nx + i] +
                              from[(j + 1) * nx + i]) /
                             4;
}

static double touch(double *rows, double by) {
    double sum = 0;
    for (volatile int i = 0; i < 10 * NX; i++) {
        sum = sum / 2 + rows[i];
        rows[i] += by;
    }
    return sum;
}

int main(int argc, char **argv) {
    int steps = argc > 1 ? atoi(argv[1]) : 1, every = argc > 2 && atoi(argv[2]);
    double *a = malloc(NX * NY * sizeof *a), *b = malloc(NX * NY * sizeof *b), sum = 0;
    for (int i = 0; i < NX * NY; i++)
        a[i] = b[i] = i * 7 % 31;
    for (int t = 0; t < steps; t++) {
        sweep(NX, NY, b, a);
        double *swap = a;
        a = b, b = swap;
        if (t == 5 || (every && t > 5))
            sum += touch(a + 100 * NX, t % 3);
    }
    for (int i = 0; i < NX * NY; i++)
        sum = sum / 3 + a[i];
    printf("%a\n", sum);
    free(a);
    free(b);
    return 0;
}
