/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Small integers: an average by division, and no cell brighter than the one above. */
#include "harness.h"

#ifndef TYPE
#define TYPE uint8_t
#endif

KERNEL void blur(int n, int m, int steps, TYPE A[2][n][m]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                int sum = A[t % 2][i - 1][j - 1] + A[t % 2][i - 1][j] + A[t % 2][i - 1][j + 1] +
                          A[t % 2][i][j - 1] + A[t % 2][i][j] + A[t % 2][i][j + 1] +
                          A[t % 2][i + 1][j - 1] + A[t % 2][i + 1][j] + A[t % 2][i + 1][j + 1];
                int mean = sum / 9, most = A[t % 2][i - 1][j];
                A[(t + 1) % 2][i][j] = (TYPE)(mean < most ? mean : most);
            }
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1), blur(n[0], n[1], steps, b[0]),
        INTEGERS("A", TYPE, 2 * n[0] * n[1], (TYPE)-1 < 0 ? -100 : 0, 200))
