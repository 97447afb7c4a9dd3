/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sweeps whose threads may have several cells. BODY says what there is:
 * 0 two sweeps over the same arrays from different columns on
 * 1 arrays of which one is read a column further, so that no vector fits both
 * 2 two outputs, of which one is written where a condition holds, and a coefficient grid
 * 3 a row and a column that all cells share, and the cell's own numbers
 * 4 bytes, and 16-bit integers beside them
 * 5 an array in place, with integer divisions of what is there
 * 6 rows taken from the last to the first, and column after column */
#include "harness.h"

#ifndef BODY
#define BODY 0
#endif

#if BODY == 0
KERNEL void sweeps(long n, long m, long steps, REAL a[n][m], REAL b[n][m]) {
    for (long t = 0; t < steps; t++) {
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < m - 1; j++)
                b[i][j] = (REAL)0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        for (long i = 2; i < n - 3; i++)
            for (long j = 3; j < m - 2; j++)
                a[i][j] = (REAL)0.5 * (b[i - 2][j] + b[i][j + 2]) - (REAL)0.1 * b[i + 1][j - 3];
    }
}
PROGRAM(2, INSIDE(n[0], 2, 3) * INSIDE(n[1], 3, 2), sweeps(n[0], n[1], steps, b[0], b[1]),
        REALS("a", n[0] * n[1]), REALS("b", n[0] * n[1]))
#elif BODY == 1
KERNEL void sweeps(long n, long m, long steps, REAL a[n][m], REAL b[n][m], REAL c[n][m]) {
    for (long t = 0; t < steps; t++) {
        for (long i = 0; i < n; i++)
            for (long j = 0; j < m; j++)
                c[i][j] = (REAL)0.5 * c[i][j] + a[i][j];
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < m - 1; j++)
                b[i][j] = a[i][j] - c[i][j - 1] + c[i + 1][j];
        for (long i = 1; i < n - 1; i++)
            for (long j = 0; j < m - 2; j++)
                a[i][j] = (REAL)0.4 * b[i - 1][j + 1] + (REAL)0.3 * c[i][j + 2];
    }
}
PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1), sweeps(n[0], n[1], steps, b[0], b[1], b[2]),
        REALS("a", n[0] * n[1]), REALS("b", n[0] * n[1]), REALS("c", n[0] * n[1]))
#elif BODY == 2
KERNEL void sweeps(long n, long m, long steps, REAL a[n][m], REAL b[n][m], REAL c[n][m],
                   REAL k[n][m]) {
    for (long t = 0; t < steps; t++) {
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < m - 1; j++) {
                REAL sum = a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j];
                b[i][j] = k[i][j] * sum;
                if (sum > (REAL)2)
                    c[i][j] = sum - k[i][j];
            }
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < m - 1; j++)
                a[i][j] = (REAL)0.5 * (b[i][j] + c[i][j]);
    }
}
PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        sweeps(n[0], n[1], steps, b[0], b[1], b[2], b[3]), REALS("a", n[0] * n[1]),
        REALS("b", n[0] * n[1]), REALS("c", n[0] * n[1]), REALS("k", n[0] * n[1]))
#elif BODY == 3
KERNEL void sweeps(long n, long m, long steps, REAL a[n][m], REAL b[n][m], REAL row[m],
                   REAL column[n]) {
    for (long t = 0; t < steps; t++) {
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < m - 1; j++)
                b[i][j] = row[j + 1] * a[i - 1][j] + column[i] * a[i][j + 1] + (REAL)(i - 2 * j);
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < m - 1; j++)
                a[i][j] = (REAL)0.01 * b[i][j] + row[j];
    }
}
PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        sweeps(n[0], n[1], steps, b[0], b[1], b[2], b[3]), REALS("a", n[0] * n[1]),
        REALS("b", n[0] * n[1]), REALS("row", n[1]), REALS("column", n[0]))
#elif BODY == 4
KERNEL void sweeps(long n, long m, long steps, uint8_t a[n][m], int16_t b[n][m]) {
    for (long t = 0; t < steps; t++) {
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < m - 1; j++)
                b[i][j] = (int16_t)(a[i - 1][j] + a[i + 1][j] - 3 * a[i][j - 1] + a[i][j + 1]);
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < m - 1; j++)
                a[i][j] = (uint8_t)(b[i][j] > 0 ? b[i][j] >> 2 : -b[i][j]);
    }
}
PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1), sweeps(n[0], n[1], steps, b[0], b[1]),
        INTEGERS("a", uint8_t, n[0] * n[1], 0, 256), INTEGERS("b", int16_t, n[0] * n[1], -9, 20))
#elif BODY == 5
KERNEL void sweeps(long n, long m, long steps, int32_t a[n][m], int32_t b[n][m]) {
    for (long t = 0; t < steps; t++) {
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < m - 1; j++)
                a[i][j] = (b[i - 1][j] + 7 * b[i][j + 1]) / (a[i][j] | 1) + 1;
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < m - 1; j++)
                b[i][j] = b[i][j] % 1000 + a[i][j];
    }
}
PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1), sweeps(n[0], n[1], steps, b[0], b[1]),
        INTEGERS("a", int32_t, n[0] * n[1], 1, 20), INTEGERS("b", int32_t, n[0] * n[1], 0, 1000))
#else
KERNEL void sweeps(long n, long m, long steps, REAL a[n][m], REAL b[n][m]) {
    for (long t = 0; t < steps; t++) {
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < m - 1; j++)
                b[i][j] = (REAL)0.1 * a[i + 1][j + 1] + (REAL)0.11 * a[i + 1][j - 1] +
                          (REAL)0.12 * a[i][j] + (REAL)0.13 * a[i - 1][j + 1] +
                          (REAL)0.14 * a[i - 1][j - 1];
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < m - 1; j++)
                a[i][j] = (REAL)0.2 * b[i - 1][j - 1] + (REAL)0.21 * b[i][j - 1] +
                          (REAL)0.22 * b[i + 1][j - 1] + (REAL)0.23 * b[i - 1][j + 1] +
                          (REAL)0.24 * b[i + 1][j + 1];
    }
}
PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1), sweeps(n[0], n[1], steps, b[0], b[1]),
        REALS("a", n[0] * n[1]), REALS("b", n[0] * n[1]))
#endif
