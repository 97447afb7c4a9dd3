/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A sum of the changes beside the sweep, and a stop that depends on it. */
#include "harness.h"

KERNEL int solve(int n, int m, int steps, REAL *a, REAL *b) {
    int t = 0;
    for (REAL change = 1; t < steps && change > (REAL)1e-3; t++) {
        change = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                b[i * m + j] = (REAL)0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] +
                                             a[i * m + j - 1] + a[i * m + j + 1]);
                change += (b[i * m + j] - a[i * m + j]) * (b[i * m + j] - a[i * m + j]);
            }
        REAL *swap = a;
        a = b;
        b = swap;
    }
    return t;
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        *(int *)b[2] = solve(n[0], n[1], steps, b[0], b[1]), REALS("a", n[0] * n[1]),
        REALS("b", n[0] * n[1]), INTEGERS("steps", int, 1, 0, 1))
