/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Pictures from the bottom up, and indices brought back where they are written. FORM says which. */
#include "harness.h"

#ifndef FORM
#define FORM 1
#endif
#define CLAMP(v, lo, hi) ((v) < (lo) ? (lo) : (v) > (hi) ? (hi) : (v))
#define CELLS(index)                                                                               \
    for (index y = 0; y < n; y++)                                                                  \
        for (index x = 0; x < m; x++)
/* Component c of a picture with three. */
#define FROM(y, x, c) u[((n - 1 - (y)) * m + (x)) * 3 + (c)]
#define TO(y, x, c) w[((n - 1 - (y)) * m + (x)) * 3 + (c)]
/* Of a grid that comes round, where sizes are unsigned. */
#define AT(a, y, x) a[(((y) + rows) % rows) * columns + ((x) + columns) % columns]

static const REAL weight[9] = {1, 2, 3, -1, 4, 5, (REAL)0.5, -2, 1};

KERNEL void pictures2d(int n, int m, REAL *u, REAL *w) {
#if FORM == 1 /* constant sizes: LLVM writes 15 - y as y ^ 15 */
    if (n < 16 || m < 9)
        return;
    n = 16, m = 9;
#endif
#if FORM <= 2 /* three components, clamped rows and columns */
    CELLS(int) {
        REAL b = 0, g = 0, r = 0;
        for (int j = -1; j <= 1; j++)
            for (int i = -1; i <= 1; i++) {
                int from = CLAMP(y + j, 0, n - 1), at = CLAMP(x + i, 0, m - 1);
                REAL by = weight[(j + 1) * 3 + i + 1];
                b += FROM(from, at, 0) * by;
                g += FROM(from, at, 1) * by;
                r += FROM(from, at, 2) * by;
            }
        TO(y, x, 0) = b;
        TO(y, x, 1) = g;
        TO(y, x, 2) = r;
    }
#elif FORM == 3 /* one of them, from another: a single array is written upside down */
    CELLS(int) TO(y, x, 1) = FROM(CLAMP(y - 1, 0, n - 1), x, 2) + FROM(y, CLAMP(x + 1, 0, m - 1), 0);
#elif FORM == 4 /* upside down, from a picture that is not */
    CELLS(int) {
        TO(y, x, 0) = u[(y * m + x) * 3] + u[(y * m + x) * 3 + 1];
        TO(y, x, 1) = u[(y * m + CLAMP(x - 1, 0, m - 1)) * 3 + 1];
    }
#elif FORM == 5 /* an index of a cell's own, modulo the size */
    size_t rows = (size_t)n, columns = (size_t)m;
    CELLS(int) AT(w, y, x) = AT(u, y - 1, x) + AT(u, y + 1, x) - AT(u, y, x - 1) * AT(u, y, x + 1);
#elif FORM == 6 /* of two arrays, one behind the other, columns first */
    size_t rows = (size_t)n, columns = (size_t)m;
    REAL *other = w + n * m;
    for (int x = 0; x < m; x++)
        for (int y = 0; y < n; y++) {
            AT(w, y, x) = AT(u, y - 1, x) + AT(u, y, x + 1);
            AT(other, y, x) = AT(u, y + 1, x) * AT(u, y, x);
        }
#elif FORM == 7 /* a neighbour's, modulo the size: the last one is the first */
    CELLS(int) w[((y + 1) % n) * m + x] = u[y * m + x] + u[y * m + (x + 1) % m];
#elif FORM == 9 || FORM == 10 /* a mean of the neighbours inside, or without the cell itself, copied back */
    CELLS(int) {
        REAL b = 0, g = 0, r = 0;
        int count = 0;
        for (int j = -1; j <= 1; j++)
            for (int i = -1; i <= 1; i++) {
                int from = y + j, at = x + i;
                if (from < 0 || from >= n || at < 0 || at >= m || (FORM == 10 && !i && !j))
                    continue;
                r += u[(from * m + at) * 3 + 2];
                g += u[(from * m + at) * 3 + 1];
                b += u[(from * m + at) * 3];
                count++;
            }
        w[(y * m + x) * 3 + 2] = r / (REAL)(count + 1);
        w[(y * m + x) * 3 + 1] = g / (REAL)(count + 1);
        w[(y * m + x) * 3] = b / (REAL)(count + 1);
    }
    CELLS(int) for (int c = 0; c < 3; c++) u[(y * m + x) * 3 + c] = w[(y * m + x) * 3 + c];
#elif FORM == 8 /* upside down in place: iterations depend on each other */
    CELLS(int) FROM(y, x, 0) = FROM(CLAMP(y - 1, 0, n - 1), x, 0) + FROM(y, x, 1);
#endif
}

#define SIZE (3 * n[0] * n[1])
#if FORM == 1
#define COUNT (n[0] < 16 || n[1] < 9 ? 0 : 16 * 9)
#else
#define COUNT (n[0] * n[1])
#endif
PROGRAM(2, COUNT, pictures2d((int)n[0], (int)n[1], b[0], b[1]), REALS("u", SIZE), REALS("w", SIZE))
