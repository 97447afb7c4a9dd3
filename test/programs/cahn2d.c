/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Cahn-Hilliard: a chemical potential of a concentration, then the concentration of the
 * potential's Laplacian, in place. Edges without flux. */
#include "harness.h"

#define LAPLACIAN(a) (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1] - 4 * a[i][j])
#define EDGES(a)                                                                                   \
    for (int i = 1; i < n - 1; i++) {                                                              \
        a[i][0] = a[i][1];                                                                         \
        a[i][m - 1] = a[i][m - 2];                                                                 \
    }                                                                                              \
    for (int j = 0; j < m; j++) {                                                                  \
        a[0][j] = a[1][j];                                                                         \
        a[n - 1][j] = a[n - 2][j];                                                                 \
    }

KERNEL void separate(int n, int m, int steps, REAL c[n][m], REAL mu[n][m]) {
    if (n < 4 || m < 4)
        return;
    for (int t = 0; t < steps; t++) {
        EDGES(c)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                mu[i][j] = c[i][j] * c[i][j] * c[i][j] - c[i][j] - (REAL)0.5 * LAPLACIAN(c);
        EDGES(mu)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                c[i][j] += (REAL)0.01 * LAPLACIAN(mu);
    }
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1), separate(n[0], n[1], steps, b[0], b[1]),
        REALS("c", n[0] * n[1]), REALS("mu", n[0] * n[1]))
