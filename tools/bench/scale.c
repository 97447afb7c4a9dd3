/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Time loops on large grids, for tools/bench/scale. Several threads fill the arrays, and sum up the
 * bits of the results.
 *
 *   scale star2d1r|star3d1r|fdtd|change|until|materials CELLS STEPS [ROWS]
 *
 * The grid is a square or cube, or has ROWS rows or planes. Prints the sum.
 */
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 64 };

typedef struct part {
    float *at;
    size_t from, to;
    uint64_t sum;
} part;

static void *fill(void *context) {
    part *p = context;
    for (size_t i = p->from; i < p->to; i++)
        p->at[i] = (float)((i * 2654435761u) >> 8 & 0xFFFF) * (1.0f / 65536);
    return NULL;
}

static void *sum_up(void *context) {
    part *p = context;
    p->sum = 0;
    for (size_t i = p->from; i < p->to; i++) {
        uint32_t bits;
        memcpy(&bits, &p->at[i], sizeof bits);
        p->sum += (bits ^ (uint32_t)i) * 0x9E3779B97F4A7C15u;
    }
    return NULL;
}

static uint64_t in_parallel(void *(*work)(void *), float *at, size_t count) {
    pthread_t threads[THREADS];
    part parts[THREADS];
    uint64_t sum = 0;
    for (size_t i = 0; i < THREADS; i++) {
        parts[i] = (part){at, count / THREADS * i, count / THREADS * (i + 1), 0};
        parts[i].to = i + 1 == THREADS ? count : parts[i].to;
        if (pthread_create(&threads[i], NULL, work, &parts[i]) != 0)
            abort();
    }
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        sum += parts[i].sum;
    }
    return sum;
}

__attribute__((noinline)) static void star2d1r(float *a, float *b, long n, long rows, int steps) {
    for (int t = 0; t < steps; t++) {
        for (long y = 1; y < rows - 1; y++)
            for (long x = 1; x < n - 1; x++)
                b[y * n + x] = 0.25f * a[y * n + x] + 0.19f * a[y * n + x - 1] +
                               0.18f * a[y * n + x + 1] + 0.17f * a[(y - 1) * n + x] +
                               0.21f * a[(y + 1) * n + x];
        float *swap = a;
        a = b;
        b = swap;
    }
}

__attribute__((noinline)) static void star3d1r(float *a, float *b, long n, long planes, int steps) {
    for (int t = 0; t < steps; t++) {
        for (long z = 1; z < planes - 1; z++)
            for (long y = 1; y < n - 1; y++)
                for (long x = 1; x < n - 1; x++) {
                    long c = (z * n + y) * n + x;
                    b[c] = 0.25f * a[c] + 0.13f * a[c - 1] + 0.12f * a[c + 1] + 0.11f * a[c - n] +
                           0.14f * a[c + n] + 0.15f * a[c - n * n] + 0.1f * a[c + n * n];
                }
        float *swap = a;
        a = b;
        b = swap;
    }
}

/* The last step's greatest change is used. */
__attribute__((noinline)) static float change(float *a, float *b, long n, long rows, int steps) {
    float most = 0;
    for (int t = 0; t < steps; t++) {
        most = 0;
        for (long y = 1; y < rows - 1; y++)
            for (long x = 1; x < n - 1; x++) {
                float made = 0.25f * (a[y * n + x - 1] + a[y * n + x + 1] + a[(y - 1) * n + x] +
                                      a[(y + 1) * n + x]);
                float by = fabsf(made - a[y * n + x]);
                most = by > most ? by : most;
                b[y * n + x] = made;
            }
        float *swap = a;
        a = b;
        b = swap;
    }
    return most;
}

/* The loop ends when the greatest change is small; here it is not. */
__attribute__((noinline)) static void until(float *a, float *b, long n, long rows, int steps,
                                            float small) {
    float most = 1;
    for (int t = 0; t < steps && most > small; t++) {
        most = 0;
        for (long y = 1; y < rows - 1; y++)
            for (long x = 1; x < n - 1; x++) {
                float made = 0.25f * (a[y * n + x - 1] + a[y * n + x + 1] + a[(y - 1) * n + x] +
                                      a[(y + 1) * n + x]);
                float by = fabsf(made - a[y * n + x]);
                most = by > most ? by : most;
                b[y * n + x] = made;
            }
        float *swap = a;
        a = b;
        b = swap;
    }
}

/* FDTD of transverse electric waves: three sweeps a step, and a source at one edge. */
__attribute__((noinline)) static void fdtd(int n, int rows, float ex[rows][n], float ey[rows][n],
                                           float hz[rows][n], const float *source, int steps) {
    if (n < 3 || rows < 3)
        return;
    for (int t = 0; t < steps; t++) {
        for (int x = 0; x < n; x++)
            ey[0][x] = source[t];
        for (int y = 1; y < rows; y++)
            for (int x = 0; x < n; x++)
                ey[y][x] = ey[y][x] - 0.5f * (hz[y][x] - hz[y - 1][x]);
        for (int y = 0; y < rows; y++)
            for (int x = 1; x < n; x++)
                ex[y][x] = ex[y][x] - 0.5f * (hz[y][x] - hz[y][x - 1]);
        for (int y = 0; y < rows - 1; y++)
            for (int x = 0; x < n - 1; x++)
                hz[y][x] = hz[y][x] - 0.7f * (ex[y][x + 1] - ex[y][x] + ey[y + 1][x] - ey[y][x]);
    }
}

/* A star whose coefficients differ from cell to cell: of six arrays, two are written. So a host of
 * 128 GiB has room for more than a GPU of 80 GB, and for copies of what is written. */
__attribute__((noinline)) static void materials(float *a, float *b, const float *of,
                                                const float *beside, const float *before,
                                                const float *after, long n, long rows, int steps) {
    for (int t = 0; t < steps; t++) {
        for (long y = 1; y < rows - 1; y++)
            for (long x = 1; x < n - 1; x++) {
                long c = y * n + x;
                b[c] = 0.4f * (of[c] * a[c] + beside[c] * (a[c - 1] + a[c + 1]) +
                               before[c] * a[c - n] + after[c] * a[c + n]);
            }
        float *swap = a;
        a = b;
        b = swap;
    }
}

enum { MOST_ARRAYS = 6 };

static int arrays_of(const char *program) {
    return strcmp(program, "materials") == 0 ? MOST_ARRAYS : strcmp(program, "fdtd") == 0 ? 3 : 2;
}

/* Runs the program on its arrays. */
static void run(const char *program, float *at[MOST_ARRAYS], long n, long rows, int steps) {
    if (strcmp(program, "star3d1r") == 0) {
        star3d1r(at[0], at[1], n, rows, steps);
    } else if (strcmp(program, "star2d1r") == 0) {
        star2d1r(at[0], at[1], n, rows, steps);
    } else if (strcmp(program, "materials") == 0) {
        materials(at[0], at[1], at[2], at[3], at[4], at[5], n, rows, steps);
    } else if (strcmp(program, "until") == 0) {
        until(at[0], at[1], n, rows, steps, 1e-30f);
    } else if (strcmp(program, "change") == 0) {
        at[0][0] = change(at[0], at[1], n, rows, steps);
    } else {
        float *source = malloc((size_t)steps * sizeof *source);
        if (!source)
            abort();
        for (int t = 0; t < steps; t++)
            source[t] = (float)(t % 64) * (1.0f / 64);
        fdtd((int)n, (int)rows, (float (*)[n])at[0], (float (*)[n])at[1], (float (*)[n])at[2],
             source, steps);
        free(source);
    }
}

int main(int argc, char **argv) {
    if (argc != 4 && argc != 5)
        return 2;
    int cube = strcmp(argv[1], "star3d1r") == 0, steps = atoi(argv[3]);
    int arrays = arrays_of(argv[1]);
    long n = atol(argv[2]), rows = argc > 4 ? atol(argv[4]) : n;
    size_t cells = (size_t)n * (size_t)rows * (cube ? (size_t)n : 1);
    uint64_t sum = 0;
    float *at[MOST_ARRAYS];
    for (int i = 0; i < arrays; i++) {
        at[i] = malloc(cells * sizeof *at[i]);
        if (!at[i])
            return 3;
        in_parallel(fill, at[i], cells);
    }
    run(argv[1], at, n, rows, steps);
    for (int i = 0; i < arrays; i++)
        sum += (uint64_t)(2 * i + 1) * in_parallel(sum_up, at[i], cells);
    printf("%016llx\n", (unsigned long long)sum);
    return 0;
}
