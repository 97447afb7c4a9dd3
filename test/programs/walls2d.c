/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A fluid in a box: a function that is called many times sets the walls of a field, so that LLVM leaves its calls. Where it knows n > 0 from loops before, LLVM takes the ways for n > 0 and n < 1 apart, each with a row's
 * length and an end of the time loop of its own. Prints a digest of each field.
 *
 *   walls2d N...
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AT(i, j) ((i) + (n + 2) * (j))
#define CELLS                                                                                                          \
    for (int j = 1; j <= n; j++)                                                                                       \
        for (int i = 1; i <= n; i++)

static void set_walls(int n, int which, REAL *x) {
    for (int i = 1; i <= n; i++) {
        x[AT(0, i)] = which == 1 ? -x[AT(1, i)] : x[AT(1, i)];
        x[AT(n + 1, i)] = which == 1 ? -x[AT(n, i)] : x[AT(n, i)];
    }
    for (int i = 1; i <= n; i++) {
        x[AT(i, 0)] = which == 2 ? -x[AT(i, 1)] : x[AT(i, 1)];
        x[AT(i, n + 1)] = which == 2 ? -x[AT(i, n)] : x[AT(i, n)];
    }
}

static void relax(int n, int which, REAL *x, const REAL *source, REAL *next, REAL weight, int rounds) {
    for (int k = 0; k < rounds; k++) {
        CELLS next[AT(i, j)] =
            (source[AT(i, j)] + x[AT(i - 1, j)] + x[AT(i + 1, j)] + x[AT(i, j - 1)] + x[AT(i, j + 1)]) * weight;
        CELLS x[AT(i, j)] = next[AT(i, j)];
        set_walls(n, which, x);
    }
}

__attribute__((noinline)) void project(int n, REAL *u, REAL *v, REAL *p, REAL *divergence, REAL *next) {
    CELLS {
        divergence[AT(i, j)] = (REAL)-0.5 * (u[AT(i + 1, j)] - u[AT(i - 1, j)] + v[AT(i, j + 1)] - v[AT(i, j - 1)]) / n;
        p[AT(i, j)] = 0;
    }
    set_walls(n, 0, divergence);
    set_walls(n, 0, p);
    relax(n, 0, p, divergence, next, (REAL)0.25, 9);
    CELLS {
        u[AT(i, j)] -= (REAL)0.5 * n * (p[AT(i + 1, j)] - p[AT(i - 1, j)]);
        v[AT(i, j)] -= (REAL)0.5 * n * (p[AT(i, j + 1)] - p[AT(i, j - 1)]);
    }
    set_walls(n, 1, u);
    set_walls(n, 2, v);
}

int main(int argc, char **argv) {
    for (int a = 1; a < argc; a++) {
        int n = atoi(argv[a]);
        size_t cells = (size_t)(n + 2) * (size_t)(n + 2);
        REAL *f[5];
        for (int k = 0; k < 5; k++) {
            f[k] = malloc(cells * sizeof(REAL));
            for (size_t i = 0; i < cells; i++) f[k][i] = (REAL)((i * 7919 + (size_t)k * 31) % 1013) / 1013;
        }
        for (int t = 0; t < 2; t++) project(n, f[0], f[1], f[2], f[3], f[4]);
        for (int k = 0; k < 5; k++) {
            unsigned hash = 0;
            const unsigned char *bytes = (const unsigned char *)f[k];
            for (size_t i = 0; i < cells * sizeof(REAL); i++) hash = hash * 31 + bytes[i];
            printf("%d %d %08x\n", n, k, hash);
            free(f[k]);
        }
    }
    return 0;
}
