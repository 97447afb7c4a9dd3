/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A[t & 1] with counters of type COUNT, the array's extents apart from the domain's. */
#include "harness.h"

#ifndef COUNT
#define COUNT long
#endif

KERNEL void heat(COUNT n, COUNT m, COUNT rows, COUNT pitch, COUNT steps, REAL A[2][rows][pitch]) {
    for (COUNT t = 0; t < steps; t++)
        for (COUNT i = 1; i <= n; i++)
            for (COUNT j = 1; j <= m; j++)
                A[(t + 1) & 1][i][j] =
                    (A[t & 1][i - 1][j] + A[t & 1][i + 1][j] + A[t & 1][i][j]) / 3 +
                    (REAL)0.001 * (A[t & 1][i][j - 1] - A[t & 1][i][j + 1]);
}

PROGRAM(2, n[0] * n[1], heat(n[0], n[1], n[0] + 3, n[1] + 7, steps, b[0]),
        REALS("A", 2 * (n[0] + 3) * (n[1] + 7)))
