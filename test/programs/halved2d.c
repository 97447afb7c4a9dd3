/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A field that a time loop writes, and reads in rows of another order, too: every other row, or
 * with FALLING the rows from the last one. */
#include "harness.h"

#ifdef FALLING
enum { ROWS = 1 };
#define ROW(i) (n - 1 - (i))
#else
enum { ROWS = 2 };
#define ROW(i) (2 * (i))
#endif

KERNEL void step(long n, long m, long steps, REAL (*restrict a)[m], REAL (*restrict b)[m],
                 REAL (*restrict c)[m]) {
    for (long t = 0; t < steps; t++) {
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < m - 1; j++)
                b[i][j] = (REAL)0.5 * a[i][j - 1] + a[i][j + 1];
        for (long i = 1; i < n / ROWS - (ROWS == 1); i++)
            for (long j = 1; j < m - 1; j++)
                c[i][j] = (REAL)0.5 * a[ROW(i)][j - 1] + a[ROW(i)][j + 1];
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < m - 1; j++)
                a[i][j] = (REAL)0.2 * b[i][j] + (REAL)0.3 * c[i][j];
    }
}

PROGRAM(2, 3 * INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        step(n[0], n[1], steps, (REAL (*)[n[1]])b[0], (REAL (*)[n[1]])b[1], (REAL (*)[n[1]])b[2]),
        REALS("a", n[0] * n[1]), REALS("b", n[0] * n[1]), REALS("c", n[0] * n[1]))
