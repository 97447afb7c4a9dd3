/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A sweep of three arrays, in RANK dimensions, and one nest that copies all three back: by loops,
 * of which LLVM makes calls of memcpy where RESTRICT is restrict, or with -DROWS by such calls.
 * -DCHAIN: the third array gets what the first one just got. -DFILL: the second one gets zeros.
 * -DSHORT: the third one's rows are copied less a cell. -DABOVE: its rows come from one row above.
 */
#include "harness.h"

#ifndef RESTRICT
#define RESTRICT
#endif
#ifdef SHORT
#define LESS 1
#else
#define LESS 0
#endif
#if RANK == 1
#define EXTENTS int m
#define FIELD(name) REAL *RESTRICT name
#define AROUND
#define AT(a, i, j, k) a[k]
#define SIZES (int)n[0]
#define CELLS n[0]
#define INNER INSIDE(n[0], 1, 1)
#elif RANK == 2
#define EXTENTS int h, int m
#define FIELD(name) REAL(*RESTRICT name)[m]
#define AROUND for (int j = 1; j < h - 1; j++)
#define AT(a, i, j, k) a[j][k]
#define SIZES (int)n[0], (int)n[1]
#define CELLS n[0] * n[1]
#define INNER INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1)
#else
#define EXTENTS int d, int h, int m
#define FIELD(name) REAL(*RESTRICT name)[h][m]
#define AROUND                                                                                     \
    for (int i = 1; i < d - 1; i++)                                                                \
        for (int j = 1; j < h - 1; j++)
#define AT(a, i, j, k) a[i][j][k]
#define SIZES (int)n[0], (int)n[1], (int)n[2]
#define CELLS n[0] * n[1] * n[2]
#define INNER INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1) * INSIDE(n[2], 1, 1)
#endif
#ifdef ABOVE
#define ROW_OF_W j - 1
#else
#define ROW_OF_W j
#endif
#define ROW_OF(m) ((size_t)((m) > 2 ? (m) - 2 : 0) * sizeof(REAL))
#define ALONG for (int k = 1; k < m - 1; k++)

KERNEL void fields(EXTENTS, int steps, FIELD(u), FIELD(v), FIELD(w), FIELD(U), FIELD(V), FIELD(W)) {
    for (int t = 0; t < steps; t++) {
        AROUND ALONG {
            AT(U, i, j, k) = AT(u, i, j, k) + (REAL)0.1 * (AT(v, i, j - 1, k) - AT(w, i, j, k));
            AT(V, i, j, k) = (REAL)0.5 * (AT(v, i, j, k - 1) + AT(u, i - 1, j, k + 1));
            AT(W, i, j, k) = AT(w, i, j, k) - (REAL)0.2 * AT(u, i + 1, j + 1, k);
        }
#ifdef ROWS
        AROUND {
            memcpy(&AT(u, i, j, 1), &AT(U, i, j, 1), ROW_OF(m));
#ifdef FILL
            memset(&AT(v, i, j, 1), 0, ROW_OF(m));
#else
            memcpy(&AT(v, i, j, 1), &AT(V, i, j, 1), ROW_OF(m));
#endif
#ifdef CHAIN
            memcpy(&AT(w, i, j, 1), &AT(u, i, j, 1), ROW_OF(m));
#else
            memcpy(&AT(w, i, j, 1), &AT(W, i, ROW_OF_W, 1), ROW_OF(m - LESS));
#endif
        }
#else
        AROUND ALONG {
            AT(u, i, j, k) = AT(U, i, j, k);
            AT(v, i, j, k) = AT(V, i, j, k);
            AT(w, i, j, k) = AT(W, i, ROW_OF_W, k);
        }
#endif
    }
}

PROGRAM(RANK, INNER, fields(SIZES, (int)steps, b[0], b[1], b[2], b[3], b[4], b[5]),
        REALS("u", CELLS), REALS("v", CELLS), REALS("w", CELLS), REALS("U", CELLS),
        REALS("V", CELLS), REALS("W", CELLS))
