/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The boundary function of J. Stam's fluid solver: one loop sets two rows and two columns, with a
 * minus sign for a component of the velocity; corners are means of the cells beside. -DCASE=1:
 * rows first, with corners; 2: columns first, in rows longer than the loop is; 3: columns that begin
 * in the first row, which the loop has not yet set there; 4: faces of a cube; 5: corners included,
 * in an array of constant size; 6: rows of a table. */
#include "harness.h"

#define LEAST(a, b) ((a) < (b) ? (a) : (b))

#if CASE == 5
enum { M = 37 };

KERNEL void relax(int steps, REAL x[M][M], REAL y[M][M]) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < M - 1; i++)
            for (int j = 1; j < M - 1; j++)
                y[i][j] = (REAL)0.1 * (x[i - 1][j] + x[i + 1][j] + x[i][j - 1] + 2 * x[i][j + 1]);
        for (int i = 1; i < M - 1; i++)
            for (int j = 1; j < M - 1; j++)
                x[i][j] = y[i][j];
        for (int i = 0; i < M; i++) {
            x[0][i] = x[1][i];
            x[M - 1][i] = (REAL)0.5 * x[M - 2][i];
            x[i][0] = x[i][M - 2];
            x[i][M - 1] = -x[i][1];
        }
    }
}

PROGRAM(2, M *M, relax(steps, (REAL(*)[M])b[0], (REAL(*)[M])b[1]), REALS("x", M *M),
        REALS("y", M *M))
#elif CASE == 6
#include <stdlib.h>

KERNEL void relax(int n, int steps, REAL **x, REAL **y) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                y[i][j] = (REAL)0.1 * (x[i - 1][j] + x[i + 1][j] + x[i][j - 1] + 2 * x[i][j + 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                x[i][j] = y[i][j];
        for (int i = 1; i < n - 1; i++) {
            x[0][i] = x[1][i];
            x[n - 1][i] = -x[n - 2][i];
            x[i][0] = x[i][1];
            x[i][n - 1] = x[i][n - 2] + 1;
        }
    }
}

static void run(long n, long steps, REAL *a, REAL *b) {
    REAL **x = calloc((size_t)n, sizeof *x), **y = calloc((size_t)n, sizeof *y);
    for (long i = 0; i < n && x && y; i++) {
        x[i] = a + i * n;
        y[i] = b + i * n;
    }
    relax((int)n, (int)steps, x, y);
    free(x);
    free(y);
}

#define N LEAST(n[0], n[1])
PROGRAM(2, N > 2 ? N * N : 0, run(N, steps, b[0], b[1]), REALS("x", N *N), REALS("y", N *N))
#elif CASE == 4
#define AT(i, j, k) ((i) + (n + 2) * (j) + (n + 2) * (n + 2) * (k))

static void walls(int n, int b, REAL *x) {
    for (int j = 1; j <= n; j++)
        for (int i = 1; i <= n; i++) {
            x[AT(i, j, 0)] = b == 3 ? -x[AT(i, j, 1)] : x[AT(i, j, 1)];
            x[AT(i, j, n + 1)] = b == 3 ? -x[AT(i, j, n)] : x[AT(i, j, n)];
            x[AT(i, 0, j)] = b == 2 ? -x[AT(i, 1, j)] : x[AT(i, 1, j)];
            x[AT(i, n + 1, j)] = b == 2 ? -x[AT(i, n, j)] : x[AT(i, n, j)];
            x[AT(0, i, j)] = b == 1 ? -x[AT(1, i, j)] : x[AT(1, i, j)];
            x[AT(n + 1, i, j)] = b == 1 ? -x[AT(n, i, j)] : x[AT(n, i, j)];
        }
    x[AT(0, 0, 0)] = (REAL)0.33 * (x[AT(1, 0, 0)] + x[AT(0, 1, 0)] + x[AT(0, 0, 1)]);
    x[AT(n + 1, 0, 0)] = (REAL)0.33 * (x[AT(n, 0, 0)] + x[AT(n + 1, 1, 0)] + x[AT(n + 1, 0, 1)]);
}

KERNEL void relax(int n, int b, int steps, REAL *x, const REAL *f, REAL *y) {
    if (n < 1)
        return;
    for (int t = 0; t < steps; t++) {
        for (int k = 1; k <= n; k++)
            for (int j = 1; j <= n; j++)
                for (int i = 1; i <= n; i++)
                    y[AT(i, j, k)] = (REAL)0.5 * f[AT(i, j, k)] +
                                     (REAL)0.1 * (x[AT(i - 1, j, k)] + x[AT(i, j + 1, k)] +
                                                  x[AT(i, j, k - 1)] + x[AT(i, j, k + 1)]);
        for (int k = 1; k <= n; k++)
            for (int j = 1; j <= n; j++)
                for (int i = 1; i <= n; i++)
                    x[AT(i, j, k)] = y[AT(i, j, k)];
        walls(n, b, x);
    }
}

#define N LEAST(LEAST(n[0], n[1]), n[2])
PROGRAM(3, N > 2 ? N * N * N : 0, relax(N - 2, 1 + steps % 3, steps, b[0], b[1], b[2]),
        REALS("x", N *N *N), REALS("f", N *N *N), REALS("y", N *N *N))
#else
#define WIDTH (n + (CASE == 2 ? 5 : 2))
#define AT(i, j) ((i) + WIDTH * (j))

static void walls(int n, int b, REAL *x) {
#if CASE == 1
    for (int i = 1; i <= n; i++) {
        x[AT(0, i)] = b == 1 ? -x[AT(1, i)] : x[AT(1, i)];
        x[AT(n + 1, i)] = b == 1 ? -x[AT(n, i)] : x[AT(n, i)];
        x[AT(i, 0)] = b == 2 ? -x[AT(i, 1)] : x[AT(i, 1)];
        x[AT(i, n + 1)] = b == 2 ? -x[AT(i, n)] : x[AT(i, n)];
    }
    x[AT(0, 0)] = (REAL)0.5 * (x[AT(1, 0)] + x[AT(0, 1)]);
    x[AT(0, n + 1)] = (REAL)0.5 * (x[AT(1, n + 1)] + x[AT(0, n)]);
    x[AT(n + 1, 0)] = (REAL)0.5 * (x[AT(n, 0)] + x[AT(n + 1, 1)]);
    x[AT(n + 1, n + 1)] = (REAL)0.5 * (x[AT(n, n + 1)] + x[AT(n + 1, n)]);
#else
    for (int i = CASE == 3 ? 0 : 1; i <= n; i++) {
        x[AT(i, 0)] = x[AT(i, 1)] + b;
        x[AT(i, n + 1)] = (REAL)0.5 * x[AT(i, n)];
        x[AT(0, i)] = x[AT(1, i)];
        x[AT(n + 1, i)] = -x[AT(n, i)];
    }
#endif
}

KERNEL void relax(int n, int b, int steps, REAL *x, const REAL *f, REAL *y) {
    if (n < 1)
        return;
    for (int t = 0; t < steps; t++) {
        for (int j = 1; j <= n; j++)
            for (int i = 1; i <= n; i++)
                y[AT(i, j)] = (REAL)0.5 * f[AT(i, j)] +
                              (REAL)0.1 * (x[AT(i - 1, j)] + x[AT(i + 1, j)] + x[AT(i, j - 1)] +
                                           x[AT(i, j + 1)]);
        for (int j = 1; j <= n; j++)
            for (int i = 1; i <= n; i++)
                x[AT(i, j)] = y[AT(i, j)];
        walls(n, b, x);
    }
}

#define N LEAST(n[0], n[1])
PROGRAM(2, N > 2 ? N * N : 0, relax(N - 2, 1 + steps % 3, steps, b[0], b[1], b[2]),
        REALS("x", N *(N + 3)), REALS("f", N *(N + 3)), REALS("y", N *(N + 3)))
#endif
