/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tables of rows in time loops of several sweeps: a torus, by edges that are copied, with -DWRAP by
 * indices that come round; -DSTRUCT finds the tables in a struct, -DMEMCPY copies rows by memcpy.
 * Rows are of one block; with -DAPART each is allocated by itself, with -DSHARED two of them are
 * one. -DSTRUCTS has their pointers in structs. */
#include "harness.h"

#include <stdlib.h>

#ifdef STRUCTS
/* As a vector of vectors. */
typedef struct row {
    REAL *cells, *end, *room;
} row;
#define CELLS(row) (row).cells
#else
typedef REAL *row;
#define CELLS(row) (row)
#endif
#define AT(a, i, j) CELLS((a)[i])[j]

struct plate {
    int rows, columns;
    row *now, *next;
};

#ifdef WRAP
static void step(int n, int m, row *a, row *b) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            AT(b, i, j) =
                (REAL)0.2 * (AT(a, i, j) + AT(a, i, (j + m - 1) % m) + AT(a, i, (j + 1) % m) +
                             AT(a, i == 0 ? n - 1 : i - 1, j) + AT(a, i == n - 1 ? 0 : i + 1, j));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            AT(b, i, j) += (REAL)0.1 * AT(a, i, j);
}
#else
static void step(int n, int m, row *a, row *b) {
    for (int j = 1; j < m - 1; j++) {
        AT(a, 0, j) = AT(a, n - 2, j);
        AT(a, n - 1, j) = AT(a, 1, j);
    }
    for (int i = 0; i < n; i++) {
        AT(a, i, 0) = AT(a, i, m - 2);
        AT(a, i, m - 1) = AT(a, i, 1);
    }
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            AT(b, i, j) = (REAL)0.2 * (AT(a, i, j) + AT(a, i, j - 1) + AT(a, i, j + 1) +
                                       AT(a, i - 1, j) + AT(a, i + 1, j - 1));
}
#endif

#ifdef STRUCT
KERNEL void drive(struct plate *p, int steps) {
    for (int t = 0; t < steps; t++) {
        step(p->rows, p->columns, p->now, p->next);
        for (int i = 1; i < p->rows - 1; i++)
            for (int j = 1; j < p->columns - 1; j++)
                AT(p->now, i, j) = AT(p->next, i, j);
    }
}
#elif defined MEMCPY
KERNEL void drive(struct plate *p, int steps) {
    int n = p->rows, m = p->columns;
    row *a = p->now, *b = p->next;
    for (int t = 0; t < steps; t++) {
        step(n, m, a, b);
        for (int i = 1; i < n - 1; i++)
            memcpy(CELLS(a[i]), CELLS(b[i]), (size_t)m * sizeof(REAL));
    }
}
#else
KERNEL void drive(struct plate *p, int steps) {
    int n = p->rows, m = p->columns;
    row *a = p->now, *b = p->next;
    for (int t = 0; t < steps; t++) {
        step(n, m, a, b);
        row *was = a;
        a = b;
        b = was;
    }
    p->now = a;
    p->next = b;
}
#endif

static void fill(long n, long m, row *rows, REAL *block, int back) {
    for (long i = 0; i < n; i++) {
        REAL *at = block + i * m;
#ifdef APART
        if (!back)
            CELLS(rows[i]) = malloc((size_t)m * sizeof *at);
        memcpy(back ? at : CELLS(rows[i]), back ? CELLS(rows[i]) : at, (size_t)m * sizeof *at);
        if (back)
            free(CELLS(rows[i]));
#elif defined SHARED
        CELLS(rows[i]) = i == 3 ? block + 4 * m : at;
#else
        CELLS(rows[i]) = at;
#endif
    }
    (void)back;
}

static void run(long n, long m, long steps, REAL *a, REAL *b) {
    row *rows[2] = {calloc((size_t)n, sizeof *rows[0]), calloc((size_t)n, sizeof *rows[1])};
    struct plate p = {(int)n, (int)m, rows[0], rows[1]};
    if (!rows[0] || !rows[1] || n < 5 || m < 3)
        return;
    fill(n, m, rows[0], a, 0);
    fill(n, m, rows[1], b, 0);
    drive(&p, (int)steps);
    fill(n, m, rows[0], a, 1);
    fill(n, m, rows[1], b, 1);
    free(rows[0]);
    free(rows[1]);
}

PROGRAM(2, n[0] < 5 || n[1] < 3 ? 0 : INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        run(n[0], n[1], steps, b[0], b[1]), REALS("A", n[0] * n[1]), REALS("B", n[0] * n[1]))
