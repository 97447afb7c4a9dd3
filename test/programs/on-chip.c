/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A star of radius 1 or 2 or a box, in 2-D or in 3-D, between two buffers with the same
 * boundary, or with another one (APART). GRIDS: also reads arrays that do not change, the place and
 * the step (1: one such array, and no more). LIFE: of integers. ROWS: without
 * neighbours along y, and along z only if it is 1. Arguments: extents and steps, in fours. */
#include <stdio.h>
#include <stdlib.h>

#ifndef REAL
#define REAL float
#endif
#define C(x) ((REAL)(x))

/* EXTENT: the compiler knows all extents. */
#ifdef EXTENT
#define ALONE static inline __attribute__((always_inline))
#define run run_any
#else
#define ALONE __attribute__((noinline))
#endif

#if defined GRIDS && defined DEEP
__attribute__((noinline)) static void sweep(int n, int m, int l, int steps, REAL A[2][n][m][l],
                                            REAL P[n][m][l], double K[n][m][l]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                for (int k = 1; k < l - 1; k++)
                    A[(t + 1) % 2][i][j][k] =
                        P[i][j][k - 1] * A[t % 2][i - 1][j][k] + C(0.13) * A[t % 2][i][j - 1][k] +
                        (REAL)K[i][j][k] * A[t % 2][i][j][k] + C(0.141) * A[t % 2][i][j][k + 1] +
                        C(0.139) * A[t % 2][i + 1][j][k];
}
#elif defined GRIDS
__attribute__((noinline)) static void sweep(int n, int m, int l, int steps, REAL A[2][n][m],
                                            REAL P[n][m], double K[n]) {
    (void)l, (void)K;
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
#if GRIDS == 1
                A[(t + 1) % 2][i][j] =
                    P[i][j] + C(0.21) * A[t % 2][i - 1][j] + C(0.19) * A[t % 2][i][j - 1] +
                    C(0.18) * A[t % 2][i][j] + C(0.22) * A[t % 2][i][j + 1] +
                    C(0.198) * A[t % 2][i + 1][j];
#else
                A[(t + 1) % 2][i][j] =
                    P[i][j] * A[t % 2][i - 1][j] + P[i + 1][j - 1] * A[t % 2][i][j - 1] +
                    C(0.18) * A[t % 2][i][j] + (REAL)K[i] * A[t % 2][i][j + 1] +
                    C(0.198) * A[t % 2][i + 1][j] + (REAL)(j % 3) * C(0.01) + C(0.001) * (REAL)t;
#endif
}
#endif

#ifdef GRIDS
ALONE void run(int n, int m, int l, int steps, REAL *A) {
    size_t cells = (size_t)n * m * l;
    REAL *P = malloc(cells * sizeof *P);
    double *K = malloc(cells * sizeof *K);
    for (size_t i = 0; i < cells; i++) {
        P[i] = C(0.1) + C(0.001) * (REAL)(i % 97);
        K[i] = 0.2 - 0.001 * (double)(i % 89);
    }
    sweep(n, m, l, steps, (void *)A, (void *)P, (void *)K);
    free(P);
    free(K);
}
#elif defined LIFE
ALONE void run(int n, int m, int l, int steps, REAL A[2][n][m]) {
    (void)l;
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                int near = A[t % 2][i - 1][j - 1] + A[t % 2][i - 1][j] + A[t % 2][i - 1][j + 1] +
                           A[t % 2][i][j - 1] + A[t % 2][i][j + 1] + A[t % 2][i + 1][j - 1] +
                           A[t % 2][i + 1][j] + A[t % 2][i + 1][j + 1];
                A[(t + 1) % 2][i][j] = near == 3 || (near == 2 && A[t % 2][i][j]);
            }
}
#elif defined ROWS
__attribute__((noinline)) void run(int n, int m, int l, int steps, REAL A[2][n][m][l]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                for (int k = 1; k < l - 1; k++)
                    A[(t + 1) % 2][i][j][k] = C(0.3) * A[t % 2][i][j][k - 1] +
                                              C(0.31) * A[t % 2][i][j][k] +
                                              C(0.29) * A[t % 2][i + ROWS][j][k + 1];
}
#elif defined DEEP && (defined BOX || defined WIDE)
#ifdef BOX
enum { R = 1 };
#define READ(a, b, c) 1
#else
enum { R = 2 };
#define READ(a, b, c) (((a) != 0) + ((b) != 0) + ((c) != 0) <= 1)
#endif
ALONE void run(int n, int m, int l, int steps, REAL A[2][n][m][l]) {
    for (int t = 0; t < steps; t++)
        for (int i = R; i < n - R; i++)
            for (int j = R; j < m - R; j++)
                for (int k = R; k < l - R; k++) {
                    REAL sum = 0;
                    for (int a = -R; a <= R; a++)
                        for (int b = -R; b <= R; b++)
                            for (int c = -R; c <= R; c++)
                                if (READ(a, b, c))
                                    sum += C(0.037 + 0.001 * a + 0.002 * b - 0.0005 * c) *
                                           A[t % 2][i + a][j + b][k + c];
                    A[(t + 1) % 2][i][j][k] = sum;
                }
}
#elif defined DEEP
ALONE void run(int n, int m, int l, int steps, REAL A[2][n][m][l]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                for (int k = 1; k < l - 1; k++)
                    A[(t + 1) % 2][i][j][k] =
                        C(0.14) * A[t % 2][i - 1][j][k] + C(0.13) * A[t % 2][i][j - 1][k] +
                        C(0.15) * A[t % 2][i][j][k - 1] + C(0.17) * A[t % 2][i][j][k] +
                        C(0.128) * A[t % 2][i][j][k + 1] + C(0.141) * A[t % 2][i][j + 1][k] +
                        C(0.139) * A[t % 2][i + 1][j][k];
}
#elif defined BOX
ALONE void run(int n, int m, int l, int steps, REAL A[2][n][m]) {
    (void)l;
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                A[(t + 1) % 2][i][j] =
                    C(0.1) * A[t % 2][i - 1][j - 1] + C(0.11) * A[t % 2][i - 1][j] +
                    C(0.12) * A[t % 2][i - 1][j + 1] + C(0.105) * A[t % 2][i][j - 1] +
                    C(0.13) * A[t % 2][i][j] + C(0.115) * A[t % 2][i][j + 1] +
                    C(0.107) * A[t % 2][i + 1][j - 1] + C(0.109) * A[t % 2][i + 1][j] +
                    C(0.099) * A[t % 2][i + 1][j + 1];
}
#elif defined WIDE
ALONE void run(int n, int m, int l, int steps, REAL A[2][n][m]) {
    (void)l;
    for (int t = 0; t < steps; t++)
        for (int i = 2; i < n - 2; i++)
            for (int j = 2; j < m - 2; j++)
                A[(t + 1) % 2][i][j] = C(0.05) * A[t % 2][i - 2][j] + C(0.16) * A[t % 2][i - 1][j] +
                                       C(0.06) * A[t % 2][i][j - 2] + C(0.13) * A[t % 2][i][j - 1] +
                                       C(0.18) * A[t % 2][i][j] + C(0.15) * A[t % 2][i][j + 1] +
                                       C(0.07) * A[t % 2][i][j + 2] + C(0.14) * A[t % 2][i + 1][j] +
                                       C(0.055) * A[t % 2][i + 2][j];
}
#else
ALONE void run(int n, int m, int l, int steps, REAL A[2][n][m]) {
    (void)l;
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                A[(t + 1) % 2][i][j] = C(0.21) * A[t % 2][i - 1][j] + C(0.19) * A[t % 2][i][j - 1] +
                                       C(0.18) * A[t % 2][i][j] + C(0.22) * A[t % 2][i][j + 1] +
                                       C(0.198) * A[t % 2][i + 1][j];
}
#endif

#ifdef EXTENT
#undef run
__attribute__((noinline)) void run(int n, int m, int l, int steps, REAL *A) {
    (void)n, (void)m, (void)l;
    run_any(EXTENT, EXTENT, EXTENT, steps, (void *)A);
}
#endif

/* Both buffers get the same values. */
static void fill(REAL *a, size_t cells) {
    unsigned seed = 12345;
    for (size_t i = 0; i < cells; i++) {
        seed = seed * 1664525 + 1013904223;
#ifdef LIFE
        a[i] = a[cells + i] = (REAL)(seed >> 31);
#else
        a[i] = a[cells + i] = (REAL)(seed >> 8) / (1 << 24) - (REAL)0.25;
#endif
    }
}

static void make(const int of[4]) {
    size_t cells = (size_t)of[0] * of[1] * of[2];
    REAL *a = malloc(2 * cells * sizeof *a);
    fill(a, cells);
#ifdef APART
    a[0] = a[cells] + 1;
    a[1] = a[cells + 1] + 1;
#endif
    run(of[0], of[1], of[2], of[3], (void *)a);
    fwrite(a, sizeof *a, 2 * cells, stdout);
    free(a);
}

/* Arguments come in fours. */
static void each(int argc, char **argv, void (*work)(const int of[4])) {
    for (int i = 1; i + 3 < argc; i += 4) {
        int of[4];
        for (int k = 0; k < 4; k++)
            of[k] = atoi(argv[i + k]);
        work(of);
    }
}

int main(int argc, char **argv) {
    each(argc, argv, make);
    return 0;
}
