/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One dimension, and all that a cell may depend on besides its neighbours: coefficients, read at
 * several offsets, a mask of another type, a table, numbers from the caller, i and t. */
#include "harness.h"

KERNEL void diffuse(int n, int steps, REAL A[2][n], const REAL *c, const REAL *d,
                    const signed char *mask, const REAL *w, REAL s, int from) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 2; i++) {
            REAL flow = c[i - 1] * A[t % 2][i - 1] - c[i + 2] * A[t % 2][i + 2];
            REAL other = d[i + 1] * A[t % 2][i + 1] + d[i] * w[1] + s * (REAL)(from + 3 * t);
            A[(t + 1) % 2][i] = A[t % 2][i] + (REAL)0.01 * (REAL)(i % 7) +
                                (REAL)(mask[i] > (i & 3)) * (w[0] * flow + w[2] * other);
        }
}

PROGRAM(1, INSIDE(n[0], 1, 2), diffuse(n[0], steps, b[0], b[1], b[2], b[3], b[4], (REAL)0.001, -5),
        REALS("A", 2 * n[0]), REALS("c", n[0]), REALS("d", n[0]),
        INTEGERS("mask", signed char, n[0], -2, 7), REALS("w", 3))
