/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A Jacobi iteration until the greatest change is small: the new array is copied back, and the
 * change is printed in some steps. The arrays have constant sizes, so LLVM copies their rows by
 * calls, and one nest ends in the block in which the other one begins. */
#include "harness.h"

#ifndef OFTEN
#define OFTEN 5
#endif
#ifndef ROWS
#define ROWS 37
#endif
#ifndef COLUMNS
#define COLUMNS 45
#endif

KERNEL void put(int t, REAL most, REAL *seen) {
    seen[t % 8] += most + (REAL)t;
    __asm__ volatile("" ::"r"(seen) : "memory");
}

static REAL a[ROWS][COLUMNS], b[ROWS][COLUMNS];

KERNEL void laplace(int steps, REAL *seen) {
    REAL most;
    int t = 0;
    do {
        most = 0;
        for (int i = 1; i < ROWS - 1; i++)
            for (int j = 1; j < COLUMNS - 1; j++) {
                b[i][j] = (REAL)0.25 * (a[i][j + 1] + a[i][j - 1] + a[i - 1][j] + a[i + 1][j]);
                most = (REAL)fmax(most, fabs((double)(b[i][j] - a[i][j])));
            }
        for (int i = 1; i < ROWS - 1; i++)
            for (int j = 1; j < COLUMNS - 1; j++)
                a[i][j] = b[i][j];
        if (t % OFTEN == 0)
            put(t, most, seen);
        t++;
    } while (most > (REAL)1e-3 && t < steps);
    seen[8] = most;
    seen[9] = (REAL)t;
}

PROGRAM(0, (ROWS - 2) * (COLUMNS - 2), laplace((int)steps, b[0]), REALS("seen", 10),
        STATIC_REALS(a), STATIC_REALS(b))
