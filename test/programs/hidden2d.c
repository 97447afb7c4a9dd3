/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Pointers in a struct that a nest loads only where its cells are no walls. With -DMORE they are
 * loaded under one condition after another; with -DSUM cells are added up; with -DPOINTED the
 * struct has the address of the one that has them. With -DNOWHERE all cells are walls, and there is
 * no struct; with -DWITHIN the struct is among the cells that are written. With -DBEFORE the nest
 * writes before it loads, with -DWAYS it loads each pointer on another way. With -DLATE only the
 * last cell is no wall. */
#include "harness.h"

#define AT(i, j) ((i) * m + (j))

typedef struct cells {
    REAL *f[3];
} cells;
typedef struct lattice {
    long size;
    const cells *now;
} lattice;

#ifdef POINTED
#define CELLS l->now->
#else
#define CELLS l->
#endif

#ifdef POINTED
KERNEL void sweep(int n, int m, const lattice *l, REAL *out, const int32_t *wall, int32_t *sum) {
#else
KERNEL void sweep(int n, int m, const cells *l, REAL *out, const int32_t *wall, int32_t *sum) {
#endif
    int32_t count = 0;
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) {
#if defined BEFORE
            out[AT(i, j)] = (REAL)0.5;
#endif
#if defined WAYS
            if (!wall[AT(i, j)])
                out[AT(i, j)] = CELLS f[0][AT(i, j - 1)] + CELLS f[0][AT(i - 1, j)];
            else
                out[AT(i, j)] = CELLS f[1][AT(i, j + 1)] - CELLS f[1][AT(i, j)];
#elif defined SUM
            if (!wall[AT(i, j)])
                count += (int32_t)((CELLS f[0][AT(i, j)] - CELLS f[1][AT(i + 1, j)]) * 64);
#elif defined MORE
        if (!wall[AT(i, j)] && CELLS f[0][AT(i, j)] > (REAL)0.3 &&
            CELLS f[1][AT(i, j)] > (REAL)0.2) {
            out[AT(i, j)] = CELLS f[2][AT(i, j)] * (REAL)0.5 + CELLS f[1][AT(i - 1, j)];
        }
#else
        if (!wall[AT(i, j)])
            out[AT(i, j)] = (REAL)0.3 * (CELLS f[0][AT(i, j - 1)] + CELLS f[0][AT(i + 1, j)]) -
                            CELLS f[1][AT(i, j)];
#endif
        }
#if defined SUM
    sum[0] += count;
#else
    (void)sum, (void)count;
#endif
}

static void run(int n, int m, int steps, REAL *a, REAL *b, REAL *c, REAL *out, int32_t *wall,
                int32_t *sum) {
    cells own = {{a, b, c}}, *given = &own;
#if defined NOWHERE
    given = NULL;
#elif defined WITHIN
    given = (cells *)(void *)(out + AT(1, 1));
    for (int j = 1; j < 7; j++)
        wall[AT(1, j)] = 1;
    memcpy(given, &own, sizeof own);
#endif
#ifdef POINTED
    lattice all = {1, given}, *l = &all;
#ifdef NOWHERE
    l = NULL;
#endif
#else
    cells *l = given;
#endif
#ifdef LATE
    for (int i = 0; i < n * m; i++)
        wall[i] = i != AT(n - 2, m - 2);
#endif
    for (int t = 0; t < steps; t++)
        sweep(n, m, l, out, wall, sum);
#ifdef WITHIN
    memset(given, 0, sizeof own);
#endif
}

#ifdef NOWHERE
#define WALLS INTEGERS("W", int32_t, n[0] * n[1], 1, 1)
#else
#define WALLS INTEGERS("W", int32_t, n[0] * n[1], 0, 2)
#endif

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        run((int)n[0], (int)n[1], (int)steps, b[0], b[1], b[2], b[3], b[4], b[5]),
        REALS("A", n[0] * n[1]), REALS("B", n[0] * n[1]), REALS("C", n[0] * n[1]),
        REALS("O", n[0] * n[1]), WALLS, INTEGERS("S", int32_t, 1, 0, 1))
