/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sweeps along rows, whose threads may have several cells: of two types, into two arrays, from
 * the second and third cell on. */
#include "harness.h"

KERNEL void line(int n, int steps, REAL *restrict a, REAL *restrict b, int32_t *restrict c) {
    for (int t = 0; t < steps; t++) {
        for (int i = 2; i < n - 2; i++)
            b[i] = (REAL)0.3 * a[i - 2] + (REAL)0.4 * a[i] + (REAL)0.2 * a[i + 2];
        for (int i = 3; i < n - 4; i++) {
            c[i] = c[i] / 2 + i;
            a[i] = b[i + 1] - (REAL)0.5 * b[i - 1];
        }
    }
}

PROGRAM(1, INSIDE(n[0], 3, 4), line(n[0], steps, b[0], b[1], b[2]), REALS("a", n[0]),
        REALS("b", n[0]), INTEGERS("c", int32_t, n[0], -50, 100))
