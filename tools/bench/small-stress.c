/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls of test/programs/on-chip.c's sweep with extents and steps that change from call to call. The sweep is also compiled
 * without the plugin, as `plain`, and the bytes of both buffers are compared. Arguments: seconds, a seed, the least and the
 * greatest extent, and the numbers of steps, of which each call takes one. Prints a line. */
#define main once
#include "../../test/programs/on-chip.c"
#undef main
#include <string.h>
#include <time.h>

#ifdef DEEP
void plain(int n, int m, int l, int steps, REAL A[2][n][m][l]);
#else
void plain(int n, int m, int l, int steps, REAL A[2][n][m]);
#endif

static unsigned draw(unsigned *seed, unsigned below) {
    *seed = *seed * 1664525 + 1013904223;
    return (*seed >> 8) % below;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv) {
    if (argc < 6)
        return 2;
    double seconds = atof(argv[1]), taken = 0, start;
    unsigned seed = (unsigned)atoi(argv[2]), low = (unsigned)atoi(argv[3]), span = (unsigned)atoi(argv[4]) - low + 1;
    long calls = 0, differ = 0;
    for (start = now(); now() - start < seconds; calls++) {
        int of[3] = {(int)(low + draw(&seed, span)), (int)(low + draw(&seed, span)), 1};
#ifdef DEEP
        of[2] = (int)(low + draw(&seed, span));
#endif
        int steps = atoi(argv[5 + draw(&seed, (unsigned)argc - 5)]);
        size_t cells = (size_t)of[0] * of[1] * of[2];
        REAL *a = malloc(2 * cells * sizeof *a), *b = malloc(2 * cells * sizeof *b);
        fill(a, cells);
        memcpy(b, a, 2 * cells * sizeof *a);
        double before = now();
        run(of[0], of[1], of[2], steps, (void *)a);
        taken += now() - before;
        plain(of[0], of[1], of[2], steps, (void *)b);
        differ += memcmp(a, b, 2 * cells * sizeof *a) != 0;
        free(a);
        free(b);
    }
    printf("%ld calls, %.0f a second of their own time, %ld differ\n", calls, (double)calls / taken, differ);
    return differ > 0;
}
