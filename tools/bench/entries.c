/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A sweep entered once a step, from a loop that the compiler does not see with it: what residency
 * (docs/residency.md) makes of it.
 *   clang -O2 -DSWEEP -fpass-plugin=libstencilopt.so -c entries.c -o sweep.o
 *   clang -O2 -I include entries.c sweep.o -o entries            -DEXPLICIT: stencilopt.h's calls
 *   STENCILOPT_DEVICE=cuda STENCILOPT_RESIDENT=auto ./entries N STEPS EVERY
 *   STENCILOPT_DEVICE=cuda STENCILOPT_DEVICES=2 ./entries ...                on several GPUs
 * N x N floats; the program looks at the whole array after each EVERY steps (0: at the end alone).
 * Prints seconds for all steps, and a sum of the bits.
 */
#include <stdio.h>
#include <stdlib.h>

void sweep(long n, float *restrict to, const float *restrict from);

#ifdef SWEEP
void sweep(long n, float *restrict to, const float *restrict from) {
    for (long i = 1; i < n - 1; i++)
        for (long j = 1; j < n - 1; j++)
            to[i * n + j] = 0.2f * (from[i * n + j] + from[i * n + j - 1] + from[i * n + j + 1] +
                                    from[(i - 1) * n + j] + from[(i + 1) * n + j]);
}
#else
#include <stdint.h>
#include <string.h>
#include <time.h>

#ifdef EXPLICIT
#include "stencilopt/stencilopt.h"
#define KEEP(p, bytes) stencilopt_keep(p, bytes)
#define FETCH(p, bytes) stencilopt_fetch(p, bytes)
#else
#define KEEP(p, bytes) (void)0
#define FETCH(p, bytes) (void)0
#endif

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint32_t look(const float *a, size_t cells) {
    uint32_t sum = 0, bits;
    FETCH(a, cells * sizeof *a);
    for (size_t i = 0; i < cells; i++) {
        memcpy(&bits, &a[i], sizeof bits);
        sum = sum * 31 + bits;
    }
    return sum;
}

int main(int argc, char **argv) {
    long n = argc > 1 ? atol(argv[1]) : 2000, steps = argc > 2 ? atol(argv[2]) : 100;
    long every = argc > 3 ? atol(argv[3]) : 0;
    size_t cells = (size_t)(n * n);
    float *a = malloc(cells * sizeof *a), *b = malloc(cells * sizeof *b);
    uint32_t sum = 0;
    if (!a || !b)
        return 1;
    for (size_t i = 0; i < cells; i++)
        a[i] = b[i] = (float)(i % 1009) * 0.01f;
    KEEP(a, cells * sizeof *a);
    KEEP(b, cells * sizeof *b);
    sweep(n, b, a); /* opens the device */
    sweep(n, a, b);
    double start = now();
    for (long t = 0; t < steps; t++) {
        sweep(n, b, a);
        float *c = a;
        a = b;
        b = c;
        if (every > 0 && t % every == every - 1)
            sum += look(a, cells);
    }
    double seconds = now() - start;
    sum += look(a, cells);
    printf("%ldx%ld, %ld steps, looks after %ld: %.4f s, %.1f us a step, sum %08x\n", n, n, steps, every, seconds,
           1e6 * seconds / (double)steps, sum);
    return 0;
}
#endif
