/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Conway's game of life in bytes. */
#include "harness.h"

#ifndef TYPE
#define TYPE int8_t
#endif

KERNEL void life(int n, int m, int steps, TYPE A[2][n][m]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                int around = A[t % 2][i - 1][j - 1] + A[t % 2][i - 1][j] + A[t % 2][i - 1][j + 1] +
                             A[t % 2][i][j - 1] + A[t % 2][i][j + 1] + A[t % 2][i + 1][j - 1] +
                             A[t % 2][i + 1][j] + A[t % 2][i + 1][j + 1];
                A[(t + 1) % 2][i][j] = around == 3 || (around == 2 && A[t % 2][i][j]);
            }
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1), life(n[0], n[1], steps, b[0]),
        INTEGERS("A", TYPE, 2 * n[0] * n[1], 0, 2))
