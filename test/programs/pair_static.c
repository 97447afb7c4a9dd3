/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Two sweeps a time step on static arrays with constant bounds, where the compiler carries values
 * from one iteration to the next. RANK 1 to 3. */
#include "harness.h"

#ifndef RANK
#define RANK 1
#endif

#if RANK == 1
enum { N = 301, CELLS = N - 2 };
static REAL A[N], B[N];
#define SWEEP(to, from)                                                                            \
    for (int i = 1; i < N - 1; i++)                                                                \
        to[i] = (REAL)0.33333 * (from[i - 1] + from[i] + from[i + 1]);
#elif RANK == 2
enum { N = 61, CELLS = (N - 2) * (N - 2) };
static REAL A[N][N], B[N][N];
#define SWEEP(to, from)                                                                            \
    for (int i = 1; i < N - 1; i++)                                                                \
        for (int j = 1; j < N - 1; j++)                                                            \
            to[i][j] = (REAL)0.2 * (from[i][j] + from[i][j - 1] + from[i][1 + j] +                 \
                                    from[1 + i][j] + from[i - 1][j]);
#else
enum { N = 19, CELLS = (N - 2) * (N - 2) * (N - 2) };
static REAL A[N][N][N], B[N][N][N];
#define SWEEP(to, from)                                                                            \
    for (int i = 1; i < N - 1; i++)                                                                \
        for (int j = 1; j < N - 1; j++)                                                            \
            for (int k = 1; k < N - 1; k++)                                                        \
                to[i][j][k] = (REAL)0.125 * (from[i + 1][j][k] + from[i - 1][j][k]) +              \
                              (REAL)0.125 * (from[i][j + 1][k] + from[i][j - 1][k]) +              \
                              (REAL)0.125 * (from[i][j][k + 1] + from[i][j][k - 1]) +              \
                              (REAL)0.25 * from[i][j][k];
#endif

KERNEL void heat(int steps) {
    for (int t = 0; t < steps; t++) {
        SWEEP(B, A)
        SWEEP(A, B)
    }
}

PROGRAM(0, CELLS, heat(steps), STATIC_REALS(A), STATIC_REALS(B))
