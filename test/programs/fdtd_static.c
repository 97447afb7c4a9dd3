/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* fdtd2d on static arrays, whose loads the compiler carries along; the magnetic field's edges are
 * cleared, all of it is copied at the end of each step. */
#include "harness.h"

#ifndef ROWS
#define ROWS 137
#define COLUMNS 150
#endif
enum { N = ROWS, M = COLUMNS };
static REAL ex[N][M], ey[N][M], hz[N][M], old[N][M];

KERNEL void fdtd(int steps) {
    for (int t = 0; t < steps; t++) {
        for (int j = 0; j < M; j++)
            ey[0][j] = (REAL)t;
        for (int i = 1; i < N; i++)
            for (int j = 0; j < M; j++)
                ey[i][j] = ey[i][j] - (REAL)0.5 * (hz[i][j] - hz[i - 1][j]);
        for (int i = 0; i < N; i++)
            for (int j = 1; j < M; j++)
                ex[i][j] = ex[i][j] - (REAL)0.5 * (hz[i][j] - hz[i][j - 1]);
        for (int i = 0; i < N - 1; i++)
            for (int j = 0; j < M - 1; j++)
                hz[i][j] =
                    hz[i][j] - (REAL)0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
        for (int j = 0; j < M; j++)
            hz[N - 1][j] = 0;
        for (int i = 0; i < N; i++)
            hz[i][M - 1] = hz[i][M - 2];
        for (int i = 0; i < N; i++)
            for (int j = 0; j < M; j++)
                old[i][j] = hz[i][j];
    }
}

PROGRAM(0, (N - 1) * (M - 1), fdtd(steps), STATIC_REALS(ex), STATIC_REALS(ey), STATIC_REALS(hz),
        STATIC_REALS(old))
