/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Time loops of several assignments. Up to CASE 9 they run together on a device, where arrays lie
 * apart; from 20 on they must not, or not all. SHIFT: how many cells B starts after A. */
#include "harness.h"

#ifndef SHIFT
#define SHIFT (2 * n[0] * n[1])
#endif
#define CELLS                                                                                      \
    for (int i = 1; i < n - 1; i++)                                                                \
        for (int j = 1; j < m - 1; j++)
#define ROW for (int j = 0; j < m; j++)
#define SPREAD(to, from)                                                                           \
    CELLS to[i][j] = (REAL)0.3 * from[i][j] + (REAL)0.2 * (from[i - 1][j] + from[i][j + 1]);

KERNEL void sweeps(int n, int m, int steps, REAL (*A)[m], REAL (*B)[m], REAL (*C)[m]) {
    if (n < 3 || m < 3)
        return;
    for (int t = 0; t < steps; t++) {
#if CASE == 1 /* a value assigned in the same iteration; one read before it is assigned */
        CELLS {
            REAL old = A[i][j];
            A[i][j] = (REAL)0.5 * B[i][j] + C[i][j];
            C[i][j] = A[i][j] + old;
        }
        SPREAD(B, A)
#elif CASE == 2  /* a cell between sweeps, read for all of the next one */
        SPREAD(B, A)
        REAL one = B[1][1];
        CELLS A[i][j] = (REAL)0.5 * B[i][j] + one;
#elif CASE == 3  /* other extents, in another order */
        for (int i = 1; i < n - 1; i++)
            for (int j = m - 2; j < m - 1; j++)
                B[i][j] = (REAL)0.5 * (A[i][j - 1] + A[i][j + 1]);
        for (int j = 1; j < m - 1; j++)
            for (int i = 1; i < n - 1; i++)
                A[i][j] = (REAL)0.25 * (B[i - 1][j] + B[i + 1][j]) + (REAL)0.1 * A[i][j];
#elif CASE == 4  /* only borders, and cells */
        SPREAD(B, A)
        ROW B[n - 1][j] = (REAL)0.5 * A[n - 1][j] + A[n - 2][j];
        B[0][0] = B[1][0] + t;
        B[n - 1][m - 1] = B[0][0];
        CELLS A[i][j] = (REAL)0.5 * B[i + 1][j];
#elif CASE == 5  /* constants by memset, rows by memcpy */
        SPREAD(B, A)
        memset(B[0], 0, (size_t)m * sizeof(REAL));
        for (int i = 1; i < n - 1; i++)
            memcpy(A[i], B[i - 1], (size_t)m * sizeof(REAL));
#elif CASE == 6  /* one statement more in the nest, of one row alone */
        SPREAD(B, A)
        for (int j = 1; j < m - 1; j++) {
            A[0][j] = (REAL)0.5 * (B[1][j - 1] + B[1][j + 1]);
            A[n - 1][j] = A[1][j] * (REAL)0.5;
        }
        SPREAD(A, B)
#elif CASE == 7  /* a sum in time */
        SPREAD(B, A)
        C[0][0] += B[1][1];
        CELLS A[i][j] = B[i][j - 1] + C[0][0];
        C[0][1] = C[0][0] * t;
#elif CASE == 8  /* clamped, and round */
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                int up = i == 0 ? 0 : i - 1, left = j == 0 ? m - 1 : j - 1;
                B[i][j] = (REAL)0.5 * (A[up][j] + A[i][left]);
            }
        SPREAD(A, B)
#elif CASE == 9  /* only in some steps, at both ends of the step */
        if ((t + 1) % 3 == 0)
            CELLS C[i][j] = (REAL)0.5 * A[i][j + 1];
        SPREAD(B, A)
        if (t % 4 == 1) {
            ROW B[0][j] = B[1][j] + C[1][1];
            B[n - 1][0] = C[n - 2][1];
        }
        SPREAD(A, B)
#elif CASE == 31 /* clamped, in place */
        SPREAD(B, A)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                int up = i == 0 ? 0 : i - 1;
                A[i][j] = (REAL)0.5 * (A[up][j] + B[i][j]);
            }
#elif CASE == 20 /* in place */
        SPREAD(B, A)
        SPREAD(C, C)
#elif CASE == 21 /* what the nest assigned to a neighbour */
        CELLS {
            B[i][j] = (REAL)0.5 * A[i][j - 1];
            C[i][j] = B[i][j - 1] + A[i][j];
        }
        SPREAD(A, C)
#elif CASE == 22 /* a cell assigned twice, by two iterations */
        CELLS {
            B[i][j] = (REAL)0.5 * A[i][j - 1];
            B[i][j + 1] = (REAL)0.25 * A[i][j];
        }
        SPREAD(A, B)
#elif CASE == 23 /* in place, along a row */
        SPREAD(B, A)
        for (int j = 1; j < m; j++)
            B[0][j] = B[0][j - 1] * (REAL)0.5 + B[1][j];
        SPREAD(A, B)
#elif CASE == 24 /* only in some steps, told by a value */
        SPREAD(B, A)
        if (C[0][0] > (REAL)0.01 * t)
            ROW B[0][j] = B[1][j];
        SPREAD(A, B)
#elif CASE == 25 /* a value from before the sweep that changes it */
        REAL one = B[1][1];
        SPREAD(B, A)
        CELLS A[i][j] = (REAL)0.5 * B[i][j] + one;
#elif CASE == 26 /* more and more cells */
        SPREAD(B, A)
        for (int j = 0; j < m && j < t; j++)
            B[0][j] = B[1][j];
        SPREAD(A, B)
#elif CASE == 27 /* rows move down, by one copy */
        SPREAD(B, A)
        memmove(A[1], A[0], (size_t)(n - 1) * m * sizeof(REAL));
        SPREAD(A, B)
#elif CASE == 28 /* only some cells */
        SPREAD(B, A)
        CELLS if (B[i][j] > (REAL)0.3) A[i][j] = B[i - 1][j];
#elif CASE == 29 /* one cell for all iterations */
        SPREAD(B, A)
        CELLS C[1][1] = B[i][j];
        SPREAD(A, B)
#elif CASE == 30 /* the last of a nest */
        REAL last = 0;
        CELLS {
            last = A[i][j - 1] + A[i][j + 1];
            B[i][j] = last;
        }
        ROW A[0][j] = last;
        SPREAD(A, B)
#endif
    }
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        sweeps(n[0], n[1], steps, b[0], (void *)((REAL *)b[0] + SHIFT), b[1]),
        REALS("AB", 4 * n[0] * n[1]), REALS("C", n[0] * n[1]))
