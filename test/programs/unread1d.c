/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Steps that do not read what the step before wrote, or only the cell itself. */
#include "harness.h"

KERNEL void trace(int n, int steps, REAL A[2][n], REAL B[2][n], const REAL *c) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            A[(t + 1) % 2][i] = c[i - 1] + c[i + 1] * (REAL)t;
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            B[(t + 1) % 2][i] = c[i - 1] + (REAL)0.5 * B[t % 2][i];
}

PROGRAM(1, INSIDE(n[0], 1, 1), trace(n[0], steps, b[0], b[1], b[2]), REALS("A", 2 * n[0]),
        REALS("B", 2 * n[0]), REALS("c", n[0]))
