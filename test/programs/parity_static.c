/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Static arrays larger than the domain; A[t % 2] or, with -DAND, A[t & 1]. */
#include "harness.h"

enum { ROWS = 260, COLUMNS = 264 };
static REAL A[2][ROWS][COLUMNS];

KERNEL void heat(int n, int m, int steps) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
#ifdef AND
                A[(t + 1) & 1][i][j] = (REAL)0.6 * A[t & 1][i][j] +
                                       (REAL)0.1 * (A[t & 1][i - 1][j] + A[t & 1][i + 1][j]) +
                                       (REAL)0.09 * (A[t & 1][i][j - 1] + A[t & 1][i][j + 1]);
#else
                A[(t + 1) % 2][i][j] = (REAL)0.6 * A[t % 2][i][j] +
                                       (REAL)0.1 * (A[t % 2][i - 1][j] + A[t % 2][i + 1][j]) +
                                       (REAL)0.09 * (A[t % 2][i][j - 1] + A[t % 2][i][j + 1]);
#endif
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1), heat(n[0], n[1], steps), STATIC_REALS(A))
