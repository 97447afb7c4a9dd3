/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Cells of few bits, intermediate values of more than 32. */
#include "harness.h"

#include <stdint.h>

#ifndef TYPE
#define TYPE uint8_t
#endif

KERNEL void mix(int n, int m, int steps, TYPE A[2][n][m]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                int64_t far = A[t % 2][i][j - 1] + INT64_C(5000000000);
                A[(t + 1) % 2][i][j] = (TYPE)(far % 7 + (int)((double)far * 1e-9) + A[t % 2][i - 1][j] / 2);
            }
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1), mix(n[0], n[1], steps, b[0]),
        INTEGERS("A", TYPE, 2 * n[0] * n[1], 0, 100))
