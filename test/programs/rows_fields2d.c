/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Height and two flows in tables of rows, several sweeps a step and walls that reflect: the first
 * and last rows and columns. Rows are of one block; with -DAPART each is allocated by itself, with
 * -DPITCH each array has rows of another length, with -DODD one row is elsewhere. -DSTRUCT: the
 * tables are in a struct. -DSTOP: the loop ends where a flow is large. */
#include "harness.h"

#include <stdlib.h>

struct basin {
    int n, m;
    REAL **h, **u, **v, **depth;
};

static inline void sweep(int n, int m, REAL **h, REAL **u, REAL **v, REAL **depth) {
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++)
            u[i][j] = (REAL)0.98 * u[i][j] - (REAL)0.2 * (h[i][j] - h[i][j - 1]);
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m; j++)
            v[i][j] = (REAL)0.98 * v[i][j] - (REAL)0.2 * (h[i][j] - h[i - 1][j]);
    for (int i = 0; i < n; i++) {
        u[i][0] = 0;
        u[i][m - 1] = -u[i][m - 2];
    }
    for (int j = 0; j < m; j++) {
        v[0][j] = 0;
        v[n - 1][j] = -v[n - 2][j];
    }
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < m - 1; j++)
            h[i][j] -= (REAL)0.1 * depth[i][j] * (u[i][j + 1] - u[i][j] + v[i + 1][j] - v[i][j]);
}

#ifdef STRUCT
KERNEL void drive(struct basin *p, int steps) {
    for (int t = 0; t < steps; t++)
        sweep(p->n, p->m, p->h, p->u, p->v, p->depth);
}
#else
static KERNEL void step_all(int n, int m, int steps, REAL **h, REAL **u, REAL **v, REAL **depth) {
#ifdef STOP
    REAL most = 0;
    for (int t = 0; t < steps && most < (REAL)STOP; t++) {
        sweep(n, m, h, u, v, depth);
        most = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                REAL speed = u[i][j] < 0 ? -u[i][j] : u[i][j];
                most = speed > most ? speed : most;
            }
    }
#else
    for (int t = 0; t < steps; t++)
        sweep(n, m, h, u, v, depth);
#endif
}

static void drive(struct basin *p, int steps) {
    step_all(p->n, p->m, steps, p->h, p->u, p->v, p->depth);
}
#endif

static REAL **table(long n, long m, const REAL *from, int number) {
    REAL **rows = calloc((size_t)n, sizeof *rows);
    long pitch = m;
#ifdef PITCH
    pitch = m + 3 * number;
#endif
    REAL *block = malloc((size_t)(n * pitch) * sizeof *block);
    for (long i = 0; i < n; i++) {
        rows[i] = block + i * pitch;
#ifdef APART
        rows[i] = malloc((size_t)m * sizeof **rows);
#endif
#ifdef ODD
        if (i == n / 2 && number == 1)
            rows[i] = malloc((size_t)m * sizeof **rows);
#endif
        memcpy(rows[i], from + i * m, (size_t)m * sizeof **rows);
    }
    (void)number;
    return rows;
}

/* No region: elements are read one by one. */
static void back(long n, long m, REAL **rows, REAL *to) {
    for (long i = 0; i < n * m; i++)
        to[i] = *(volatile REAL *)&rows[i / m][i % m];
}

static void run(long n, long m, long steps, REAL *h, REAL *u, REAL *v, REAL *depth) {
    if (n < 6 || m < 6)
        return;
    struct basin p = {(int)n,
                      (int)m,
                      table(n, m, h, 0),
                      table(n, m, u, 1),
                      table(n, m, v, 2),
                      table(n, m, depth, 3)};
    drive(&p, (int)steps);
    back(n, m, p.h, h);
    back(n, m, p.u, u);
    back(n, m, p.v, v);
}

PROGRAM(2, INSIDE(n[0], 0, 1) * INSIDE(n[1], 0, 1), run(n[0], n[1], steps, b[0], b[1], b[2], b[3]),
        REALS("h", n[0] * n[1]), REALS("u", n[0] * n[1]), REALS("v", n[0] * n[1]),
        REALS("depth", n[0] * n[1]))
