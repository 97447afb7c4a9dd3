/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Three levels take turns. A step reads the oldest one alone, and not the one between, so one step
 * accesses two buffers of three. A number changes in each step. */
#include "harness.h"

KERNEL void carry(int n, int m, int steps, REAL change, REAL (*a)[n][m]) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n; i++)
            for (int j = 1; j < m - 1; j++)
                a[(t + 1) % 3][i][j] = a[(t + 2) % 3][i - 1][j - 1] + change;
        change += (REAL)0.1;
    }
}

PROGRAM(2, INSIDE(n[0], 1, 0) * INSIDE(n[1], 1, 1), carry(n[0], n[1], steps, (REAL)0.37, b[0]),
        REALS("a", 3 * n[0] * n[1]))
