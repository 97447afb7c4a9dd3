/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The result is copied back after each sweep: the cells computed, by a loop or, with -DROWS, a
 * memcpy a row; or all of the array, with -DMEMCPY at once, with -DALL by a loop. -DSHORT copies a
 * column less than was computed. The arrays start with equal borders where these are copied, not
 * with -DUNSHARED. */
#include "harness.h"

#ifndef RESTRICT
#define RESTRICT
#endif
#ifdef SHORT
#define LAST 2
#else
#define LAST 1
#endif

KERNEL void heat(int n, int m, int steps, REAL *RESTRICT A, REAL *RESTRICT B) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                B[i * m + j] = (REAL)0.6 * A[i * m + j] +
                               (REAL)0.1 * (A[(i - 1) * m + j] + A[(i + 1) * m + j]) +
                               (REAL)0.09 * (A[i * m + j - 1] + A[i * m + j + 1]) + t;
#if defined MEMCPY
        memcpy(A, B, (size_t)n * m * sizeof(REAL));
#elif defined ROWS
        for (int i = 1; i < n - 1; i++)
            memcpy(A + i * m + 1, B + i * m + 1, (size_t)(m - 2) * sizeof(REAL));
#elif defined ALL
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                A[i * m + j] = B[i * m + j];
#else
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - LAST; j++)
                A[i * m + j] = B[i * m + j];
#endif
    }
}

#if (defined MEMCPY || defined ALL) && !defined UNSHARED
#define SHARED 2
#else
#define SHARED 1
#endif

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        (share_border(n, 1, sizeof(REAL), SHARED, b),
         heat((int)n[0], (int)n[1], (int)steps, b[0], b[1])),
        REALS("A", n[0] * n[1]), REALS("B", n[0] * n[1]))
