/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * A field whose edges absorb, by records of earlier steps: two rows in one region, and two columns.
 * In every LOOK-th step the program reads the field behind its first sweep, in the second third of
 * the steps behind the second, too: then what is held goes home before another sweep finds it. */
#include <stdio.h>
#include <stdlib.h>

#ifndef REAL
#define REAL double
#endif
typedef struct grid {
    REAL *e, *h, *low, *high, *left, *right;
    long rows, columns;
} grid;
#define E(i, j) g->e[(i) * g->columns + (j)]
#define H(i, j) g->h[(i) * g->columns + (j)]
#define RECORD(a, q, t, at) g->a[(at) * 6 + (t) * 3 + (q)]
/* The cells 0, 1 and 2 from the edge are CELL(0), CELL(1) and CELL(2). */
#define ABSORB(a, CELL, at)                                                                        \
    do {                                                                                           \
        CELL(0) = (REAL)0.5 * (CELL(2) + RECORD(a, 0, 1, at)) -                                    \
                  (REAL)0.125 * (RECORD(a, 2, 0, at) - CELL(1) + RECORD(a, 1, 1, at)) -            \
                  (REAL)0.25 * RECORD(a, 1, 0, at) + RECORD(a, 2, 1, at);                          \
        for (int q = 0; q < 3; q++)                                                                \
            RECORD(a, q, 1, at) = RECORD(a, q, 0, at);                                             \
        RECORD(a, 0, 0, at) = CELL(0);                                                             \
        RECORD(a, 1, 0, at) = CELL(1);                                                             \
        RECORD(a, 2, 0, at) = CELL(2);                                                             \
    } while (0)

__attribute__((noinline)) static void make_h(grid *g) {
    for (long i = 0; i < g->rows - 1; i++)
        for (long j = 0; j < g->columns - 1; j++)
            H(i, j) = (REAL)0.5 * H(i, j) + E(i + 1, j) - E(i, j + 1);
}

__attribute__((noinline)) static void make_e(grid *g) {
    for (long i = 1; i < g->rows - 1; i++)
        for (long j = 1; j < g->columns - 1; j++)
            E(i, j) = (REAL)0.5 * E(i, j) + (REAL)0.25 * (H(i, j) - H(i - 1, j) + H(i, j - 1));
}

__attribute__((noinline)) static void absorb(grid *g) {
#define LOW(q) E(q, j)
    for (long j = 0; j < g->columns; j++)
        ABSORB(low, LOW, j);
#define HIGH(q) E(g->rows - 1 - (q), j)
    for (long j = 0; j < g->columns; j++)
        ABSORB(high, HIGH, j);
#define LEFT(q) E(i, q)
    for (long i = 0; i < g->rows; i++)
        ABSORB(left, LEFT, i);
#define RIGHT(q) E(i, g->columns - 1 - (q))
    for (long i = 0; i < g->rows; i++)
        ABSORB(right, RIGHT, i);
}

static REAL *make(long count) {
    REAL *a = calloc((size_t)count, sizeof *a);
    for (long i = 0; i < count; i++)
        a[i] = (REAL)(i % 17) / 8 - 1;
    return a;
}

/* In an order that no device keeps. */
static double read_all(const grid *g) {
    double all = 0;
    for (long at = 0; at < g->rows * g->columns; at += 61)
        all = all * 0.75 + (double)g->e[at];
    return all;
}

int main(int argc, char **argv) {
    long rows = argc > 1 ? atol(argv[1]) : 301, columns = argc > 2 ? atol(argv[2]) : 401;
    int steps = argc > 3 ? atoi(argv[3]) : 12, look = argc > 4 ? atoi(argv[4]) : 0;
    grid all = {make(rows * columns),
                make(rows * columns),
                make(6 * columns),
                make(6 * columns),
                make(6 * rows),
                make(6 * rows),
                rows,
                columns};
    for (int t = 0; t < steps; t++) {
        int looks = look > 0 && t % look == look - 1;
        make_h(&all);
        if (looks)
            printf("%.17g\n", read_all(&all));
        make_e(&all);
        if (looks && t > steps / 3 && t < 2 * steps / 3)
            printf("%.17g\n", read_all(&all));
        absorb(&all);
    }
    for (long i = 0; i < rows * columns; i++)
        printf("%a %a\n", (double)all.e[i], (double)all.h[i]);
    return 0;
}
