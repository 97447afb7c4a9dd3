/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Every bound a constant, with -DSTEPS=N the number of steps too. */
#include "harness.h"

#ifndef STEPS
#define STEPS steps
#endif
enum { N = 70, M = 90 };
static REAL A[2][N][M];

KERNEL void heat(int steps) {
    (void)steps;
    for (int t = 0; t < STEPS; t++)
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < M - 1; j++)
                A[(t + 1) % 2][i][j] =
                    (REAL)0.2 * (A[t % 2][i][j] + A[t % 2][i - 1][j] + A[t % 2][i + 1][j] +
                                 A[t % 2][i][j - 1] + A[t % 2][i][j + 1]);
}

PROGRAM(0, (N - 2) * (M - 2), heat(steps), STATIC_REALS(A))
