/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tables of planes, T ***, whose tables have rows: one sweep a step, with -DSEVERAL faces, a sweep
 * and another one; -DLINEAR has planes without tables, T **; -DSTRUCTS has the pointers in structs.
 * Rows are of one block; with -DAPART each is allocated by itself. */
#include "harness.h"

#include <stdlib.h>

#ifdef STRUCTS
/* As vectors of vectors of vectors. */
typedef struct row {
    REAL *cells, *end;
} row;
typedef struct plane {
    row *rows, *end, *room;
} plane;
typedef plane *volume;
#define ROWS(plane) (plane).rows
#define CELLS(row) (row).cells
#else
typedef REAL *row;
#define ROWS(plane) (plane)
#define CELLS(row) (row)
#endif

#ifdef LINEAR
typedef REAL **volume;
#define AT(a, k, i, j) a[k][(i) * n[2] + (j)]
#else
#ifndef STRUCTS
typedef REAL ***volume;
#endif
#define AT(a, k, i, j) CELLS(ROWS((a)[k])[i])[j]
#endif

KERNEL void drive(const int *restrict sizes, int steps, volume a, volume b) {
    const int n[3] = {sizes[0], sizes[1], sizes[2]};
    for (int t = 0; t < steps; t++) {
#ifdef SEVERAL
        for (int k = 0; k < n[0]; k++)
            for (int j = 0; j < n[2]; j++) {
                AT(a, k, 0, j) = AT(a, k, 1, j);
                AT(a, k, n[1] - 1, j) = AT(a, k, n[1] - 2, j);
            }
        for (int i = 1; i < n[1] - 1; i++)
            for (int j = 0; j < n[2]; j++)
                AT(a, 0, i, j) = (REAL)0.5 * AT(a, 1, i, j);
        for (int k = 0; k < n[0]; k++)
            for (int i = 0; i < n[1]; i++)
                AT(a, k, i, 0) = -AT(a, k, i, 1);
#endif
        for (int k = 1; k < n[0] - 1; k++)
            for (int i = 1; i < n[1] - 1; i++)
                for (int j = 1; j < n[2] - 1; j++)
                    AT(b, k, i, j) =
                        (REAL)0.2 * (AT(a, k, i, j) + AT(a, k - 1, i, j) + AT(a, k + 1, i, j) +
                                     AT(a, k, i - 1, j) + AT(a, k, i + 1, j + 1));
#ifdef SEVERAL
        for (int k = 1; k < n[0] - 1; k++)
            for (int i = 1; i < n[1] - 1; i++)
                for (int j = 1; j < n[2] - 1; j++)
                    AT(a, k, i, j) = AT(b, k, i, j) - (REAL)0.1 * AT(b, k - 1, i, j);
#else
        volume was = a;
        a = b;
        b = was;
#endif
    }
}

static REAL *row_for(REAL *block, size_t cells) {
#ifdef APART
    REAL *row = malloc(cells * sizeof *row);
    return row ? memcpy(row, block, cells * sizeof *row) : block;
#else
    (void)cells;
    return block;
#endif
}

static void back(REAL *block, REAL *row, size_t cells) {
    if (row == block)
        return;
    memcpy(block, row, cells * sizeof *row);
    free(row);
}

#ifdef LINEAR
static volume take(const long *n, REAL *block) {
    volume v = calloc((size_t)n[0], sizeof *v);
    for (long k = 0; k < n[0]; k++)
        v[k] = row_for(block + k * n[1] * n[2], (size_t)(n[1] * n[2]));
    return v;
}
static void give(const long *n, REAL *block, volume v) {
    for (long k = 0; k < n[0]; k++)
        back(block + k * n[1] * n[2], v[k], (size_t)(n[1] * n[2]));
    free(v);
}
#else
static volume take(const long *n, REAL *block) {
    volume v = calloc((size_t)n[0], sizeof *v);
    for (long k = 0; k < n[0]; k++) {
        ROWS(v[k]) = calloc((size_t)n[1], sizeof(row));
        for (long i = 0; i < n[1]; i++)
            CELLS(ROWS(v[k])[i]) = row_for(block + (k * n[1] + i) * n[2], (size_t)n[2]);
    }
    return v;
}
static void give(const long *n, REAL *block, volume v) {
    for (long k = 0; k < n[0]; k++) {
        for (long i = 0; i < n[1]; i++)
            back(block + (k * n[1] + i) * n[2], CELLS(ROWS(v[k])[i]), (size_t)n[2]);
        free(ROWS(v[k]));
    }
    free(v);
}
#endif

static void run(const long *n, long steps, REAL *a, REAL *b) {
    if (n[0] < 3 || n[1] < 3 || n[2] < 3)
        return;
    const int sizes[3] = {(int)n[0], (int)n[1], (int)n[2]};
    volume u = take(n, a), v = take(n, b);
    drive(sizes, (int)steps, u, v);
    give(n, a, u);
    give(n, b, v);
}

PROGRAM(3, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1) * INSIDE(n[2], 1, 1), run(n, steps, b[0], b[1]),
        REALS("A", n[0] * n[1] * n[2]), REALS("B", n[0] * n[1] * n[2]))
