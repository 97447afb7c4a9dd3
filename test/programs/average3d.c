/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Small integers: an average by shift. */
#include "harness.h"

#ifndef TYPE
#define TYPE uint8_t
#endif

KERNEL void smooth(int n, int m, int l, int steps, TYPE A[2][n][m][l]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                for (int k = 1; k < l - 1; k++)
                    A[(t + 1) % 2][i][j][k] =
                        (TYPE)((A[t % 2][i - 1][j][k] + A[t % 2][i][j - 1][k] +
                                A[t % 2][i][j][k - 1] + 2 * A[t % 2][i][j][k] +
                                A[t % 2][i][j][k + 1] + A[t % 2][i][j + 1][k] +
                                A[t % 2][i + 1][j][k]) >>
                               3);
}

PROGRAM(3, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1) * INSIDE(n[2], 1, 1),
        smooth(n[0], n[1], n[2], steps, b[0]),
        INTEGERS("A", TYPE, 2 * n[0] * n[1] * n[2], (TYPE)-1 < 0 ? -100 : 0, 200))
