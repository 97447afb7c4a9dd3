/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A wave with coefficients and absorbing layers from arrays, and a source in a cell that the caller
 * names. THREE: three buffers, exchanged by pointers; MODULO: by index. SOURCES: two cells;
 * SCALED: what the cell gets depends on arrays there. MOVES, RUNS: the
 * cell is another one in each step. FIELDS: pressure and velocities, in place. */
#include "harness.h"

#define AT(i, j) [(i) * (long)m + (j)]
#define WAVE(next, now, old)                                                                       \
    for (int i = 1; i < n - 1; i++)                                                                \
        for (int j = 1; j < m - 1; j++)                                                            \
            next AT(i, j) = (2 - damp AT(i, j)) * now AT(i, j) -                                   \
                            (1 - damp AT(i, j)) * old AT(i, j) +                                   \
                            speed AT(i, j) *                                                       \
                                (now AT(i - 1, j) + now AT(i + 1, j) + now AT(i, j - 1) +          \
                                 now AT(i, j + 1) - 4 * now AT(i, j));

#if defined MOVES
#define SOURCE(u) u[(row + t % 3) * (long)m + column] += source[t]
#elif defined RUNS
#define SOURCE(u) u[row * (long)m + column + t] += source[t]
#elif defined SCALED
#define SOURCE(u) u AT(row, column) += source[t] * speed AT(row, column) - damp AT(row, column)
#else
#define SOURCE(u) u AT(row, column) += source[t]
#endif

KERNEL void run(int n, int m, int steps, REAL *u, REAL *v, REAL *w, const REAL *restrict speed,
                const REAL *restrict damp, const REAL *source, int row, int column) {
    if (n < 4 || m < 4)
        return;
    for (int t = 0; t < steps; t++) {
#if defined FIELDS
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m - 1; j++)
                v AT(i, j) -= speed AT(i, j) * (u AT(i, j + 1) - u AT(i, j));
        for (int i = 0; i < n - 1; i++)
            for (int j = 0; j < m; j++)
                w AT(i, j) -= speed AT(i, j) * (u AT(i + 1, j) - u AT(i, j));
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                u AT(i, j) = damp AT(i, j) * (u AT(i, j) - (REAL)0.25 * (v AT(i, j) - v AT(i, j - 1) +
                                                                   w AT(i, j) - w AT(i - 1, j)));
        SOURCE(u);
#elif defined THREE
        WAVE(w, u, v)
        SOURCE(w);
        REAL *swap = v;
        v = u;
        u = w;
        w = swap;
#else
        WAVE(v, u, v)
        SOURCE(v);
#ifdef SOURCES
        v AT(column, row) -= source[t + 1];
#endif
        REAL *swap = v;
        v = u;
        u = swap;
#endif
    }
}

#ifndef ROW
#define ROW (n[0] / 2)
#define COLUMN (n[1] / 3)
#endif
PROGRAM(2, INSIDE(n[0], 2, 1) * INSIDE(n[1], 2, 1),
        run((int)n[0], (int)n[1], (int)steps, b[0], b[1], b[2], b[3], b[4], b[5], (int)(ROW),
            (int)(COLUMN)),
        REALS("u", n[0] * n[1]), REALS("v", n[0] * n[1]), REALS("w", n[0] * n[1]),
        REALS("speed", n[0] * n[1]), REALS("damp", n[0] * n[1]), REALS("source", 18))
