/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Cells with several components, side by side in memory; every N-th element; columns; one of two
 * cells, as an index tells. FORM says which. */
#include "harness.h"

#ifndef FORM
#define FORM 1
#endif
typedef struct cell {
    REAL b, g, r;
} cell;

#define CELLS                                                                                      \
    for (int i = 1; i < n - 1; i++)                                                                \
        for (int j = 1; j < m - 1; j++)

KERNEL void change(REAL *v, int t) {
    v[0] += t;
    __asm__ volatile("" ::: "memory");
}

typedef struct lattice {
    int n, m;
    REAL *f, *g;
} lattice;

/* Two components that stream, or come back at the walls. */
KERNEL void bounce(lattice *l) {
    for (int i = 0; i < l->n; i++)
        for (int j = 0; j < l->m; j++) {
            int c = i * l->m + j, plane = l->n * l->m;
            if (i < l->n - 1 && j > 0)
                l->g[c] = l->f[c + l->m - 1];
            else
                l->g[c] = l->f[c + 2 * plane];
        }
}

/* Planes of a grid, one behind the other: all sizes are numbers of 32 bits that are read. */
typedef struct matrix {
    REAL *at;
    int planes, rows, columns, depth;
} matrix;
#define AT(a, p, i, j, k)                                                                          \
    a->at[(p) * a->rows * a->columns * a->depth + (i) * a->columns * a->depth + (j) * a->depth + (k)]

KERNEL void weighted(matrix *a, matrix *w) {
    int rows = w->rows, columns = w->columns - 1, depth = w->depth;
    for (int i = 0; i < rows; i++)
        for (int j = 1; j < columns; j++)
            for (int k = 0; k < depth; k++)
                AT(w, 0, i, j, k) = AT(a, 1, i, j, k) * (REAL)0.5 + AT(a, 0, i, j - 1, k) - AT(a, 0, i, j + 1, k);
}

KERNEL void components2d(int n, int m, REAL *u, REAL *x) {
#if FORM == 1 /* structs, each from its own */
    cell(*a)[m] = (void *)x;
    CELLS {
        REAL s = a[i][j].b + a[i][j].g * (REAL)0.5 + a[i][j].r;
        a[i][j].b = s;
        a[i][j].g = s * (REAL)0.25;
        a[i][j].r = a[i][j].b + s;
    }
#elif FORM == 2 /* structs, from neighbours */
    cell(*a)[m] = (void *)u, (*c)[m] = (void *)x;
    CELLS {
        c[i][j].b = a[i][j - 1].b + a[i][j + 1].b - a[i][j].g;
        c[i][j].g = a[i - 1][j].g + a[i + 1][j].g - a[i][j].r;
        c[i][j].r = a[i - 1][j - 1].r + a[i + 1][j + 1].r - a[i][j].b;
    }
#elif FORM == 3 /* a lattice that streams to its neighbours */
    CELLS {
        REAL rho = 0;
        for (int q = 0; q < 5; q++) rho += u[5 * (i * m + j) + q];
        x[5 * (i * m + j) + 0] = u[5 * (i * m + j) + 0] + rho * (REAL)0.125;
        x[5 * (i * m + j + 1) + 1] = u[5 * (i * m + j) + 1] + rho * (REAL)0.125;
        x[5 * (i * m + j - 1) + 2] = u[5 * (i * m + j) + 2] + rho * (REAL)0.125;
        x[5 * (i * m + m + j) + 3] = u[5 * (i * m + j) + 3] + rho * (REAL)0.125;
        x[5 * (i * m - m + j) + 4] = u[5 * (i * m + j) + 4] + rho * (REAL)0.125;
    }
#elif FORM == 4 /* columns: of other lengths than the rows are apart */
    for (int i = 1; i < n - 1; i++) {
        x[i * (m + 1)] = u[(i + 1) * (m + 1)] + u[(i - 1) * (m + 1)];
        x[i * (m + 1) + m] = u[i * (m + 1) + m - 1] - u[(i + 1) * (m + 1) + m];
    }
#elif FORM == 5 /* every second element, from those between */
    for (int i = 1; i < 2 * n * m; i += 2) x[i] = x[i - 1] + x[i + 1];
#elif FORM == 6 /* one component from all, another one of the neighbour: depends on its order */
    CELLS {
        x[3 * (i * m + j)] = u[i * m + j] + x[3 * (i * m + j - 1) + 1];
        x[3 * (i * m + j) + 1] = u[i * m + j] + (REAL)0.5 * x[3 * (i * m + j)];
    }
#elif FORM == 7 /* a plane of cells with components, along its slow dimensions */
    for (int k = 1; k < 3; k++) CELLS x[((k * n + i) * m + j) * 2] = u[((k * n + i) * m + j) * 2 + 1] * k;
#elif FORM == 9 /* edges that are made periodic, beside sweeps */
    for (int t = 0; t < 3 && n > 2; t++) {
        CELLS x[i * (m + 1) + j] = u[i * (m + 1) + j - 1] + u[i * (m + 1) + m + 1 + j];
        change(x, t);
        for (int j = 0; j < m; j++) x[j] = x[(n - 2) * (m + 1) + j];
        for (int i = 0; i < n; i++) x[i * (m + 1) + m] = x[i * (m + 1)];
        change(x, t);
        for (int i = 0; i < n; i++) u[i * (m + 1)] = x[i * (m + 1) + m];
    }
#elif FORM == 10 /* the last of three components, from the one in front of it */
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            REAL *c = x + 3 * (i * m + j);
            c[2] = u[i * m + j] + (REAL)0.25 * (c[1] - c[2]);
            u[i * m + j] = c[1];
        }
#elif FORM == 11
    lattice l = {n, m, u, x};
    bounce(&l);
#elif FORM == 12 /* two rules at one end */
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            x[i * m + j] = u[i * m + j] + (REAL)0.5 * u[i * m + (j > 0 ? j - 1 : 1)] -
                           u[i * m + (j > 1 ? j - 2 : 0)] + u[(i < n - 1 ? i + 1 : 3) * m + j];
#elif FORM == 13
    matrix a = {u, 2, n, m, 2}, w = {x, 1, n, m, 2};
    weighted(&a, &w);
#elif FORM == 14 /* complex numbers, in a time loop */
    REAL(*a)[m][2] = (void *)u, (*b)[m][2] = (void *)x;
    for (int t = 0; t < 4; t++) {
        CELLS {
            REAL re = a[i][j - 1][0] + a[i][j + 1][0] - 2 * a[i][j][0] + a[i + 1][j][0];
            REAL im = a[i][j - 1][1] + a[i][j + 1][1] - 2 * a[i][j][1] - a[i - 1][j][1];
            b[i][j][0] = a[i][j][0] - (REAL)0.125 * im;
            b[i][j][1] = a[i][j][1] + (REAL)0.125 * re;
        }
        REAL(*c)[m][2] = a;
        a = b;
        b = c;
    }
#elif FORM == 15 /* a coarser grid from a finer one, and back */
    int w = 2 * m - 1;
    CELLS x[i * m + j] = (REAL)0.25 * u[2 * i * w + 2 * j] +
                         (REAL)0.125 * (u[2 * i * w - w + 2 * j] + u[2 * i * w + w + 2 * j] + u[2 * i * w + 2 * j - 1] + u[2 * i * w + 2 * j + 1]);
    change(x, 1);
    CELLS u[2 * i * w + 2 * j] = x[i * m + j];
    change(x, 1);
    for (int i = 2; i < 2 * n - 2; i += 2)
        for (int j = 3; j < w - 2; j += 2)
            u[i * w + j] = (REAL)0.5 * (u[i * w + j - 1] + u[i * w + j + 1]);
    change(x, 1);
    for (int i = 3; i < 2 * n - 3; i += 2)
        for (int j = 2; j < w - 2; j++)
            u[i * w + j] = (REAL)0.5 * (u[(i - 1) * w + j] + u[(i + 1) * w + j]);
#elif FORM == 16 /* the first of three components, from the last one to the left and the second to the right */
    CELLS x[3 * (i * m + j)] = u[3 * (i * m + j) - 1] + u[3 * (i * m + j) + 4] * u[3 * (i * m + j)];
#elif FORM == 8 /* the same element twice */
    for (int i = 1; i < n - 1; i++) {
        x[3 * i] = u[3 * i] + u[3 * i + 4];
        x[3 * i + 3] = u[3 * i] - u[3 * i + 4];
    }
#endif
}

#define SIZE (8 * (n[0] + 2) * (n[1] + 2))

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        components2d((int)n[0], (int)n[1], b[0], b[1]), REALS("u", SIZE), REALS("x", SIZE))
