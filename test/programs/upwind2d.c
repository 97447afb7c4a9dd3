/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reads one way only, each tap times a grid of its own: partial sums are begun many planes before
 * they are complete, and read the coefficients there. */
#include "harness.h"

#ifdef ROWS
#define TAP(k) A[t % 2][i - k][j]
#else
#define TAP(k) A[t % 2][i + k][j]
#endif

KERNEL void upwind(int n, int m, int steps, REAL A[2][n][m], const REAL c0[n][m],
                   const REAL c1[n][m], const REAL c2[n][m], const REAL c3[n][m],
                   const REAL c4[n][m], const REAL c5[n][m], const REAL c6[n][m],
                   const REAL c7[n][m], const REAL c8[n][m]) {
    for (int t = 0; t < steps; t++)
        for (int i = 8; i < n - 8; i++)
            for (int j = 1; j < m - 1; j++)
                A[(t + 1) % 2][i][j] =
                    (REAL)0.2 *
                    (c8[i][j] * TAP(8) + c7[i][j] * TAP(7) + c6[i][j] * TAP(6) +
                     c5[i][j] * TAP(5) + c4[i][j] * TAP(4) + c3[i][j] * TAP(3) +
                     c2[i][j] * TAP(2) + c1[i][j] * TAP(1) + c0[i][j] * TAP(0));
}

#define CELLS (n[0] * n[1])
PROGRAM(2, INSIDE(n[0], 8, 8) * INSIDE(n[1], 1, 1),
        upwind(n[0], n[1], steps, b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9]),
        REALS("A", 2 * CELLS), REALS("c0", CELLS), REALS("c1", CELLS), REALS("c2", CELLS),
        REALS("c3", CELLS), REALS("c4", CELLS), REALS("c5", CELLS), REALS("c6", CELLS),
        REALS("c7", CELLS), REALS("c8", CELLS))
