/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tables of rows in time loops of several sweeps: a torus, by edges that are copied, with -DWRAP by
 * indices that come round; -DSTRUCT finds the tables in a struct, -DMEMCPY copies rows by memcpy. Rows are of one block; with -DAPART each is allocated by
 * itself, with -DSHARED two of them are one. */
#include "harness.h"

#include <stdlib.h>

struct plate {
    int rows, columns;
    REAL **now, **next;
};

#ifdef WRAP
static void step(int n, int m, REAL **a, REAL **b) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i][j] = (REAL)0.2 * (a[i][j] + a[i][(j + m - 1) % m] + a[i][(j + 1) % m] +
                                   a[i == 0 ? n - 1 : i - 1][j] + a[i == n - 1 ? 0 : i + 1][j]);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i][j] += (REAL)0.1 * a[i][j];
}
#else
static void step(int n, int m, REAL **a, REAL **b) {
    for (int j = 1; j < m - 1; j++) {
        a[0][j] = a[n - 2][j];
        a[n - 1][j] = a[1][j];
    }
    for (int i = 0; i < n; i++) {
        a[i][0] = a[i][m - 2];
        a[i][m - 1] = a[i][1];
    }
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            b[i][j] =
                (REAL)0.2 * (a[i][j] + a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j - 1]);
}
#endif

#ifdef STRUCT
KERNEL void drive(struct plate *p, int steps) {
    for (int t = 0; t < steps; t++) {
        step(p->rows, p->columns, p->now, p->next);
        for (int i = 1; i < p->rows - 1; i++)
            for (int j = 1; j < p->columns - 1; j++)
                p->now[i][j] = p->next[i][j];
    }
}
#elif defined MEMCPY
KERNEL void drive(struct plate *p, int steps) {
    int n = p->rows, m = p->columns;
    REAL **a = p->now, **b = p->next;
    for (int t = 0; t < steps; t++) {
        step(n, m, a, b);
        for (int i = 1; i < n - 1; i++)
            memcpy(a[i], b[i], (size_t)m * sizeof **a);
    }
}
#else
KERNEL void drive(struct plate *p, int steps) {
    int n = p->rows, m = p->columns;
    REAL **a = p->now, **b = p->next;
    for (int t = 0; t < steps; t++) {
        step(n, m, a, b);
        REAL **was = a;
        a = b;
        b = was;
    }
    p->now = a;
    p->next = b;
}
#endif

static void fill(long n, long m, REAL **rows, REAL *block, int back) {
    for (long i = 0; i < n; i++) {
        REAL *at = block + i * m;
#ifdef APART
        if (!back)
            rows[i] = malloc((size_t)m * sizeof *at);
        memcpy(back ? at : rows[i], back ? rows[i] : at, (size_t)m * sizeof *at);
        if (back)
            free(rows[i]);
#elif defined SHARED
        rows[i] = i == 3 ? block + 4 * m : at;
#else
        rows[i] = at;
#endif
    }
    (void)back;
}

static void run(long n, long m, long steps, REAL *a, REAL *b) {
    REAL **rows[2] = {calloc((size_t)n, sizeof *rows[0]), calloc((size_t)n, sizeof *rows[1])};
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
