/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Nests that are tiled by hand. FORM: 1 tiles of a size known when the program runs, arrays exchanged each step; 2 tiles
 * of constant sizes, accumulated; 3 columns alone; 4 unsigned counters; 5 copied back, each sweep with tiles of its own;
 * 6 arrays that overlap. What depends on the order of the cells: 7 a sum, 8 cells in place, 9 two sweeps in a tile; and
 * 10 cells by two in tiles of an odd size. */
#include "harness.h"

#ifndef FORM
#define FORM 1
#endif
#ifndef TILE
#define TILE 5
#endif
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define AT(a, i, j) a[(long)(i) * m + (j)]
#define MEAN(a, i, j)                                                                                                  \
    ((REAL)0.25 * (AT(a, i - 1, j) + AT(a, i + 1, j) + AT(a, i, j - 1)) + (REAL)0.125 * AT(a, i, j + 1))
#define TILES(T, s, t)                                                                                                 \
    for (T ii = 1; ii < n - 1; ii += s)                                                                                \
        for (T jj = 1; jj < m - 1; jj += t)
#define CELLS(T, s, t)                                                                                                 \
    for (T i = ii; i < MIN(n - 1, ii + s); i++)                                                                        \
        for (T j = jj; j < MIN(m - 1, jj + t); j++)
#define SWAP { REAL *c = a; a = b; b = c; }

#if FORM == 4
typedef unsigned long number;
#else
typedef int number;
#endif

KERNEL void filter(number n, number m, int steps, number t, REAL *a, REAL *b, REAL *found) {
    REAL sum = 0;
    if (n < 2 || m < 2)
        return;
    for (int k = 0; k < steps; k++) {
#if FORM == 1 || FORM == 4
        TILES(number, t, t) CELLS(number, t, t) AT(b, i, j) = MEAN(a, i, j);
        SWAP
#elif FORM == 2
        TILES(int, 8, 16) CELLS(int, 8, 16) AT(b, i, j) += MEAN(a, i, j);
        SWAP
#elif FORM == 3
        for (int jj = 1; jj < m - 1; jj += t)
            for (int i = 1; i < n - 1; i++)
                for (int j = jj; j < MIN(m - 1, jj + t); j++)
                    AT(b, i, j) = MEAN(a, i, j);
        SWAP
#elif FORM == 5
        TILES(int, t, t) CELLS(int, t, t) AT(b, i, j) = MEAN(a, i, j);
        TILES(int, t, 4) CELLS(int, t, 4) AT(a, i, j) = AT(b, i, j);
#elif FORM == 6
        b = a + (steps > 2 ? m : 0);
        n = steps > 2 ? 4 : n;
        TILES(int, t, t) CELLS(int, t, t) AT(b, i, j) = MEAN(a, i, j);
#elif FORM == 7
        TILES(int, t, t) CELLS(int, t, t) {
            AT(b, i, j) = MEAN(a, i, j);
            sum += AT(b, i, j);
        }
#elif FORM == 8
        TILES(int, t, t) CELLS(int, t, t) AT(a, i, j) = MEAN(a, i, j);
#elif FORM == 9
        TILES(int, t, t) {
            CELLS(int, t, t) AT(b, i, j) = MEAN(a, i, j);
            CELLS(int, t, t) AT(a, i, j) = MEAN(b, i, j);
        }
#elif FORM == 10
        for (int jj = 1; jj < m - 1; jj += t)
            for (int i = 1; i < n - 1; i++)
                for (int j = jj; j < MIN(m - 1, jj + t); j += 2)
                    AT(b, i, j) = MEAN(a, i, j);
        SWAP
#endif
    }
    found[0] = sum;
}

PROGRAM(2, INSIDE(n[0], 2, 0) * INSIDE(n[1], 2, 0),
        filter((number)n[0], (number)n[1], (int)steps, TILE, b[0], b[1], b[2]),
        REALS("a", n[0] * n[1]), REALS("b", n[0] * n[1]), REALS("sum", 1))
