/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A window of the arrays: the loops' first and last cells come from the caller. */
#include "harness.h"

KERNEL void heat(int top, int bottom, int left, int right, int m, int steps, REAL *a, REAL *b) {
    for (int t = 0; t < steps; t++) {
        for (int i = top; i < bottom; i++)
            for (int j = left; j < right; j++)
                b[i * m + j] = (REAL)0.3 * a[(i - 1) * m + j] + (REAL)0.2 * a[i * m + j] +
                               (REAL)0.4 * a[(i + 1) * m + j - 1];
        REAL *swap = a;
        a = b;
        b = swap;
    }
}

PROGRAM(2, n[0] * n[1], heat(4, 4 + n[0], 3, 3 + n[1], n[1] + 9, steps, b[0], b[1]),
        REALS("a", (n[0] + 8) * (n[1] + 9)), REALS("b", (n[0] + 8) * (n[1] + 9)))
