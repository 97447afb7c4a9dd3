/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A time loop whose arrays are swapped in memory: FORM says how. Every few steps a function that is not known gets the
 * structs' addresses; with -DCHANGE it swaps the arrays, too. */
#include "harness.h"

#ifndef FORM
#define FORM 1
#endif
#ifndef OFTEN
#define OFTEN 3
#endif

struct field {
    int nx, ny;
#if FORM == 1
    REAL dx, dy;
#endif
    REAL *data;
};

static REAL *now, *next;

/* As if in another file: it may read and write all that it can get at. */
KERNEL void look(struct field *f, struct field *g, int t, REAL *seen) {
    seen[t % 8] += f->data[(f->ny + 2) * (f->nx / 2 + 1) + 1] * (REAL)(t + 1);
#ifdef CHANGE
    REAL *was = f->data;
    f->data = g->data;
    g->data = was;
#endif
    __asm__ volatile("" ::"r"(f), "r"(g) : "memory");
}

static void swap_members(struct field *f, struct field *g) {
    REAL *was = f->data;
    f->data = g->data;
    g->data = was;
}

static void swap_pointers(REAL **f, REAL **g) {
    REAL *was = *f;
    *f = *g;
    *g = was;
}

static void swap_all(struct field *f, struct field *g) {
    struct field was = *f;
    *f = *g;
    *g = was;
}

static inline void evolve(int nx, int ny, REAL *to, const REAL *from) {
    for (int i = 1; i < nx + 1; i++)
        for (int j = 1; j < ny + 1; j++) {
            int at = i * (ny + 2) + j;
            to[at] = (REAL)0.5 * from[at] + (REAL)0.125 * (from[at - 1] + from[at + 1] +
                                                            from[at - (ny + 2)] + from[at + ny + 2]);
        }
}

KERNEL void slots2d(int n, int m, int steps, REAL *a, REAL *b, REAL *seen, REAL *end) {
    struct field cur = {.nx = n - 2, .ny = m - 2, .data = b}, prev = cur;
    prev.data = a;
#if FORM == 1
    cur.dx = cur.dy = prev.dx = prev.dy = 1;
#endif
    look(&cur, &prev, 0, seen);
#if FORM == 1 || FORM == 2 /* members, of structs with and without numbers */
    for (int t = 0; t < steps; t++) {
        evolve(cur.nx, cur.ny, cur.data, prev.data);
        if (t % OFTEN == 0)
            look(&cur, &prev, t, seen);
        swap_members(&cur, &prev);
    }
#elif FORM == 3 /* whole structs */
    for (int t = 0; t < steps; t++) {
        evolve(cur.nx, cur.ny, cur.data, prev.data);
        if (t % OFTEN == 0)
            look(&cur, &prev, t, seen);
        swap_all(&cur, &prev);
    }
#elif FORM == 4 /* variables of the file, swapped before the output */
    now = prev.data, next = cur.data;
    for (int t = 0; t < steps; t++) {
        evolve(n - 2, m - 2, next, now);
        swap_pointers(&now, &next);
        if (t % OFTEN == OFTEN - 1)
            look(&cur, &prev, t, seen);
    }
    cur.data = next, prev.data = now;
#elif FORM == 5 /* only in some steps: left in memory */
    for (int t = 0; t < steps; t++) {
        evolve(cur.nx, cur.ny, cur.data, prev.data);
        if (t % OFTEN == 0)
            look(&cur, &prev, t, seen);
        if (seen[t % 8] != 1)
            swap_members(&cur, &prev);
    }
#endif
    end[0] = cur.data == a;
    end[1] = prev.data == a;
    look(&cur, &prev, steps, seen);
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        slots2d((int)n[0], (int)n[1], (int)steps, b[0], b[1], b[2], b[3]),
        REALS("a", n[0] * n[1] + 2 * n[1] + 2), REALS("b", n[0] * n[1] + 2 * n[1] + 2), REALS("seen", 8), REALS("end", 2))
