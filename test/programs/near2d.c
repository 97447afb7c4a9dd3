/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Neighbours' indices in tables, which come round; with -DCLAMPED they stay at the ends, with
 * -DOPEN the loops leave the ends out, with -DFAR there are tables for two cells away. Tables are
 * arguments, with -DFIELDS members of a struct, with -DHERE memory of the function. With -DWRONG an
 * element is another one, with -DTURNING the time loop changes one. With -DTWO a sweep makes two
 * arrays; a team may share its rows. */
#include "harness.h"

#include <stdlib.h>

#ifdef _OPENMP
#include "Inputs/team.c"
#endif

#ifndef INDEX
#define INDEX int
#endif
#ifdef FAR
#define BY 2
#else
#define BY 1
#endif

struct near {
    int rows, columns;
    INDEX *up, *down, *left, *right;
};

static void fill(int n, INDEX *less, INDEX *more) {
#ifdef CLAMPED
    for (int i = 0; i < n; i++) {
        less[i] = i - 1;
        more[i] = i + 1;
    }
    less[0] = 0;
    more[n - 1] = n - 1;
#elif defined OPEN
    for (int i = 0; i < n; i++) {
        less[i] = i - 1;
        more[i] = i + 1;
    }
#else
    for (int i = 0; i < n; i++) {
        less[i] = (i + n - BY) % n;
        more[i] = (i + BY) % n;
    }
#endif
#ifdef WRONG
    more[n / 2] = n / 2;
#endif
}

#ifdef OPEN
enum { MARGIN = 1 };
#else
enum { MARGIN = 0 };
#endif

static void sweep(int n, int m, const INDEX *up, const INDEX *down, const INDEX *left,
                  const INDEX *right, const REAL *in, REAL *out, REAL *other) {
#ifdef _OPENMP
#pragma omp parallel for
#endif
    for (int i = MARGIN; i < n - MARGIN; i++)
        for (int j = MARGIN; j < m - MARGIN; j++) {
            out[i * m + j] =
                (REAL)0.2 * (in[i * m + j] + in[up[i] * m + j] + (REAL)1.1 * in[down[i] * m + j] +
                             in[i * m + left[j]] + (REAL)0.9 * in[i * m + right[j]]);
#ifdef TWO
            other[i * m + j] = in[down[i] * m + j] - in[i * m + left[j]];
#endif
        }
}

#if defined FIELDS
KERNEL void drive(const struct near *s, int steps, REAL *a, REAL *b, REAL *c) {
#elif defined HERE
KERNEL void drive(int n, int m, int steps, REAL *a, REAL *b, REAL *c) {
    struct near own = {n,
                       m,
                       malloc((size_t)n * sizeof(INDEX)),
                       malloc((size_t)n * sizeof(INDEX)),
                       malloc((size_t)m * sizeof(INDEX)),
                       malloc((size_t)m * sizeof(INDEX))};
    const struct near *s = &own;
    fill(n, s->up, s->down);
    fill(m, s->left, s->right);
#else
KERNEL void drive(int n, int m, INDEX *up, INDEX *down, INDEX *left, INDEX *right, int steps,
                  REAL *a, REAL *b, REAL *c) {
    const struct near own = {n, m, up, down, left, right}, *s = &own;
#endif
    for (int t = 0; t < steps; t++) {
#ifdef TURNING
        s->up[0] = t % 2 == 0 && n > 1 ? 1 : 0;
#endif
        sweep(s->rows, s->columns, s->up, s->down, s->left, s->right, a, b, c);
        REAL *was = a;
        a = b;
        b = was;
    }
#ifdef HERE
    free(s->up), free(s->down), free(s->left), free(s->right);
#endif
}

static void run(int n, int m, int steps, REAL *a, REAL *b, REAL *c) {
#ifdef HERE
    drive(n, m, steps, a, b, c);
#else
    static INDEX table[4][512];
    struct near s = {n, m, table[0], table[1], table[2], table[3]};
    if (n > 512 || m > 512)
        return;
    fill(n, s.up, s.down);
    fill(m, s.left, s.right);
#ifdef FIELDS
    drive(&s, steps, a, b, c);
#else
    drive(n, m, s.up, s.down, s.left, s.right, steps, a, b, c);
#endif
#endif
}

PROGRAM(2, INSIDE(n[0], MARGIN, MARGIN) * INSIDE(n[1], MARGIN, MARGIN),
        n[0] < 3 || n[1] < 3 ? (void)0 : run((int)n[0], (int)n[1], (int)steps, b[0], b[1], b[2]),
        REALS("A", n[0] * n[1]), REALS("B", n[0] * n[1]), REALS("C", n[0] * n[1]))
