/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A time loop as teaching codes write it: a struct has the arrays, the sizes and the number of the
 * step; functions that LLVM is told not to inline make the sweeps, check what they need, and print
 * in some steps. */
#include "harness.h"

#include <stdlib.h>

#ifndef OFTEN
#define OFTEN 3
#endif
#ifndef WIDTH /* of the source; 0: the check fails in the first step */
#define WIDTH 2
#endif

struct grid {
    int nx, ny, time, last;
    REAL *ez, *hx, *hy;
};

#define EZ(i, j) g->ez[(i) * g->ny + (j)]
#define HX(i, j) g->hx[(i) * g->ny + (j)]
#define HY(i, j) g->hy[(i) * g->ny + (j)]

static REAL width, factor;

void update_h(struct grid *g);
void update_e(struct grid *g);
REAL source(const struct grid *g);
void edges(struct grid *g);
void snapshot(const struct grid *g, REAL *seen);

KERNEL __attribute__((noreturn)) void stop(const REAL *seen) {
    __asm__ volatile("" ::"r"(seen) : "memory");
    exit(3);
}

/* As if in another file. */
KERNEL void look(const struct grid *g, REAL *seen) {
    seen[g->time % 8] += EZ(g->nx / 2, g->ny / 2) + (REAL)g->time;
    __asm__ volatile("" ::"r"(g) : "memory");
}

void update_h(struct grid *g) {
    for (int i = 0; i < g->nx; i++)
        for (int j = 0; j < g->ny - 1; j++)
            HX(i, j) -= (REAL)0.25 * (EZ(i, j + 1) - EZ(i, j));
    for (int i = 0; i < g->nx - 1; i++)
        for (int j = 0; j < g->ny; j++)
            HY(i, j) += (REAL)0.25 * (EZ(i + 1, j) - EZ(i, j));
}

void update_e(struct grid *g) {
    for (int i = 1; i < g->nx - 1; i++)
        for (int j = 1; j < g->ny - 1; j++)
            EZ(i, j) += (REAL)0.25 * (HY(i, j) - HY(i - 1, j) - (HX(i, j) - HX(i, j - 1)));
}

REAL source(const struct grid *g) {
    if (width <= 0)
        stop(g->ez);
    REAL at = ((REAL)g->time - 4) / width;
    return (REAL)exp(-(double)(at * at));
}

void edges(struct grid *g) {
    if (factor == 0)
        stop(g->ez);
    for (int j = 0; j < g->ny; j++) {
        EZ(0, j) = factor * EZ(1, j);
        EZ(g->nx - 1, j) = factor * EZ(g->nx - 2, j);
    }
}

void snapshot(const struct grid *g, REAL *seen) {
    if (g->time % OFTEN != 0)
        return;
    look(g, seen);
}

KERNEL void run(struct grid *g, REAL *seen) {
    for (g->time = 0; g->time < g->last; g->time++) {
        update_h(g);
        update_e(g);
        EZ(g->nx / 2, g->ny / 2) += source(g);
        edges(g);
        snapshot(g, seen);
    }
}

/* The functions have further callers. */
KERNEL void again(struct grid *g, REAL *seen) {
    update_h(g);
    edges(g);
    update_e(g);
    seen[0] += source(g);
    snapshot(g, seen);
}

KERNEL void checked2d(long n, long m, long steps, REAL *ez, REAL *hx, REAL *hy, REAL *seen) {
    struct grid *g = malloc(sizeof *g);
    *g = (struct grid){(int)n, (int)m, 0, (int)steps, ez, hx, hy};
    width = WIDTH;
    factor = (REAL)0.5;
    __asm__ volatile("" ::"r"(&width), "r"(&factor) : "memory");
    if (n > 2 && m > 2) {
        run(g, seen);
        if (seen[0] == -1)
            again(g, seen);
    }
    seen[1] += (REAL)g->time;
    free(g);
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        checked2d(n[0], n[1], steps, b[0], b[1], b[2], b[3]), REALS("ez", n[0] * n[1]),
        REALS("hx", n[0] * n[1]), REALS("hy", n[0] * n[1]), REALS("seen", 8))
