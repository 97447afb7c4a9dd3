/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Single loops that belong to arrays of two dimensions, called as if from another file: edges, rows
 * and columns, all cells by one index; loops that copy rows; cells of several components whose
 * neighbours come round at the ends. FORM says which. */
#include "harness.h"

#ifndef FORM
#define FORM 1
#endif
#define U(i, j) u[(i) * m + (j)]
#define V(i, j) v[(i) * m + (j)]

#if FORM == 1 /* corrections at the edges of a box, from a line */
KERNEL static void row(int at, int first, int last, int m, REAL *u, const REAL *v, const REAL *w) {
    for (int j = first; j <= last; j++)
        U(at, j) -= V(at, j) * w[at + 1];
}

KERNEL static void column(int at, int first, int last, int m, REAL *u, const REAL *v, const REAL *w) {
    for (int i = first; i <= last; i++)
        U(i, at) += V(i, at) * w[i];
}

static void step(int n, int m, REAL *u, REAL *v, REAL *w) {
    row(n / 2, 0, m - 1, m, u, v, w);
    column(m - 1, 0, n - 1, m, u, v, w);
    row(0, 1, m - 2, m, u, v, w);
    column(0, 1, n - 2, m, u, v, w);
}
#elif FORM == 2 /* an absorbing edge, which keeps what was there in the last two steps */
KERNEL static void step(int n, int m, REAL *u, REAL *v, REAL *w) {
    for (int j = 0; j < m && n > 2; j++) {
        U(0, j) = (REAL)0.5 * (U(2, j) + w[j * 6 + 3]) + (REAL)0.25 * (w[j * 6] - U(1, j)) + w[j * 6 + 1];
        for (int i = 0; i < 3; i++) {
            w[j * 6 + 3 + i] = w[j * 6 + i];
            w[j * 6 + i] = U(i, j);
        }
    }
    for (int i = 0; i < n && m > 2; i++) {
        V(i, m - 1) = (REAL)0.5 * (V(i, m - 3) + w[i * 6 + 3]) - (REAL)0.25 * V(i, m - 2);
        w[i * 6 + 3] = V(i, m - 1);
    }
}
#elif FORM == 3 /* all cells by one index */
KERNEL static void flat(int n, int m, REAL *u, const REAL *v, REAL by) {
    for (int i = 0; i < n * m; i++)
        u[i] += by * v[i];
}

KERNEL static void square(int n, int m, REAL *u, REAL *w) {
    for (long i = 0; i < (long)n * m; i++) {
        REAL x = u[i];
        w[i] = x * x;
        u[i] = (REAL)0.5 * x;
    }
}

static void step(int n, int m, REAL *u, REAL *v, REAL *w) {
    flat(n, m, u, v, (REAL)0.25);
    square(n, m, v, w);
}
#elif FORM == 4 /* rows are copied: of numbers, of one array to another row length, of bytes */
typedef struct {
    unsigned char b, g, r;
} pixel;
KERNEL static void inside(int n, int m, REAL *restrict u, const REAL *restrict v) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            U(i, j) = V(i, j);
}

KERNEL static void widen(int n, int m, REAL *restrict w, const REAL *restrict v) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            w[i * (m + 1) + j] = V(i, j);
}

KERNEL static void pixels(int n, int m, pixel to[n][m], pixel from[n][m]) {
    for (int i = 0; i < n; i++)
        memcpy(to[i], from[i], 3 * m);
}

static void step(int n, int m, REAL *u, REAL *v, REAL *w) {
    inside(n, m, u, v);
    widen(n, m, w, u);
    pixels(n, m, (void *)v, (void *)w);
}
#elif FORM == 5 /* three components, each pulled from another side; walls send them back */
typedef struct {
    REAL f[3];
} cell;
KERNEL static void step(int n, int m, REAL *u, REAL *v, REAL *w) {
    cell *to = (void *)u;
    const cell *from = (void *)v;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int up = (i + 1) % n, down = i == 0 ? i + n - 1 : i - 1;
            int right = j == m - 1 ? 0 : j + 1, left = j == 0 ? m - 1 : j - 1;
            REAL a = from[i * m + right].f[0], b = from[up * m + left].f[1], c = from[down * m + j].f[2];
            if (w[i * m + j] > 1) {
                to[i * m + j].f[0] = b;
                to[i * m + j].f[1] = c;
                to[i * m + j].f[2] = a;
            } else {
                REAL s = a + b + c;
                to[i * m + j].f[0] = a + (REAL)0.25 * (s - a);
                to[i * m + j].f[1] = b + (REAL)0.25 * (s - b);
                to[i * m + j].f[2] = c + (REAL)0.25 * (s - c);
            }
        }
}
#elif FORM == 6 /* the same, the last component written first, and read inside too */
KERNEL static void step(int n, int m, REAL *u, REAL *v, REAL *w) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int up = i == n - 1 ? 0 : i + 1, left = j == 0 ? m - 1 : j - 1;
            u[3 * (i * m + j) + 2] = v[3 * (up * m + left) + 2] - v[3 * (i * m + j) + 1];
            u[3 * (i * m + j) + 0] = v[3 * (i * m + left) + 1] + w[i * m + j];
            u[3 * (i * m + j) + 1] = v[3 * (up * m + j) + 0] * (REAL)0.5;
        }
}
#elif FORM == 7 /* rows of one array, each copied from the one before: only in order */
KERNEL static void step(int n, int m, REAL *u, REAL *v, REAL *w) {
    (void)v, (void)w;
    for (int i = 1; i < n; i++)
        memcpy(&U(i, 0), &U(i - 1, 0), (size_t)m * sizeof(REAL));
}
#elif FORM == 8 /* planes that a struct names: pointers are read on both ways, one by one */
typedef struct {
    REAL *f[3];
} planes;
KERNEL static void pull(int n, int m, planes *to, const planes *from, const int *wall) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int up = (i + 1) % n, left = j == 0 ? m - 1 : j - 1, c = i * m + j;
            if (wall[c] & 1) {
                to->f[0][c] = from->f[2][c];
                to->f[1][c] = from->f[1][up * m + j];
                to->f[2][c] = from->f[0][i * m + left];
            } else {
                REAL s = from->f[0][i * m + left] + from->f[1][up * m + j];
                to->f[0][c] = s;
                to->f[1][c] = s * (REAL)0.5;
                to->f[2][c] = s - from->f[2][c];
            }
        }
}

static void step(int n, int m, REAL *u, REAL *v, REAL *w) {
    long s = (long)n * m;
    planes a = {{u, u + s, u + 2 * s}}, b = {{v, v + s, v + 2 * s}};
    pull(n, m, &a, &b, (const int *)w);
}
#elif FORM == 9 /* components that stream, or come back at walls; sizes and pointers in a struct */
typedef struct {
    int n, m;
    REAL *f, *g;
} lattice;
KERNEL static void stream(lattice *l) {
    for (int i = 0; i < l->n; i++)
        for (int j = 0; j < l->m; j++) {
            int k = 3 * (i * l->m + j);
            if (i > 0 && j > 0)
                l->f[k] = l->g[k - 3 * l->m - 3];
            else
                l->f[k] = l->g[k + 2];
            if (j < l->m - 1)
                l->f[k + 1] = l->g[k + 4];
            else
                l->f[k + 1] = l->g[k];
            if (i < l->n - 1)
                l->f[k + 2] = l->g[k + 2 + 3 * l->m];
            else
                l->f[k + 2] = l->g[k + 1];
        }
}

static void step(int n, int m, REAL *u, REAL *v, REAL *w) {
    lattice l = {n, m, u, v};
    (void)w;
    stream(&l);
}
#elif FORM == 10 /* twenty components, each assigned in either branch, some of them to neighbours */
#define TO(k) u[20 * (i * m + j + (k) % 3 - 1) + (k)]
#define FROM(k) v[20 * (i * m + j) + (k)]
#define TWO(set, k) set(k) set((k) + 1)
#define TEN(set, k) TWO(set, k) TWO(set, (k) + 2) TWO(set, (k) + 4) TWO(set, (k) + 6) TWO(set, (k) + 8)
#define BACK(k) TO(k) = FROM(19 - (k));
#define ON(k) TO(k) = FROM(k) * (REAL)0.5 + s;
KERNEL static void step(int n, int m, REAL *u, REAL *v, REAL *w) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) {
            if (w[i * m + j] > 1) {
                TEN(BACK, 0) TEN(BACK, 10)
                continue;
            }
            REAL s = FROM(0) + FROM(7);
            TEN(ON, 0) TEN(ON, 10)
        }
}
#elif FORM == 11 /* the element of the iteration before; for the first one a number */
KERNEL static void line(int n, REAL s, REAL *restrict u, const REAL *restrict v) {
    REAL before = s;
    for (int i = 0; i < n; i++) {
        REAL here = v[i + 1];
        u[i] += (here - before) * (REAL)0.25;
        before = here;
    }
}

KERNEL static void rows(int n, int m, REAL s, REAL *restrict u, const REAL *restrict v) {
    for (int i = 0; i < n; i++) {
        REAL before = s;
        for (int j = 0; j < m; j++) {
            REAL here = V(i, j);
            U(i, j) -= before * (REAL)0.5 + here;
            before = here;
        }
    }
}

static void step(int n, int m, REAL *u, REAL *v, REAL *w) {
    line(n * m, w[0], u, v);
    rows(n, m, w[1], w, u);
}
#elif FORM == 12 /* a local line: LLVM keeps what is assigned to its first cell */
KERNEL static void step(int n, int m, REAL *u, REAL *v, REAL *w) {
    enum { LINE = 75 };
    REAL e[LINE] = {0}, h[LINE] = {0};
    for (int t = 0; t < (n < 9 ? n : 9); t++) {
        for (int i = 0; i < LINE - 1; i++)
            h[i] += (e[i + 1] - e[i]) * (REAL)0.5;
        for (int i = 1; i < LINE; i++)
            e[i] += (h[i] - h[i - 1]) * (REAL)0.25;
        e[0] = v[t] * m;
        __asm__ volatile("" ::"r"(u) : "memory");
        u[t] = e[LINE / 2];
    }
    for (int i = 0; i < 4; i++)
        w[i] = e[i] + h[i];
}
#endif

KERNEL void alone2d(int steps, int n, int m, REAL *u, REAL *v, REAL *w) {
    for (int t = 0; t < steps; t++) {
        step(n, m, u, v, w);
        __asm__ volatile("" ::: "memory");
    }
}

#define SIZE (20 * (n[0] + 2) * (n[1] + 2))

PROGRAM(2, n[0] * n[1], alone2d((int)steps, (int)n[0], (int)n[1], b[0], b[1], b[2]),
        REALS("u", SIZE), REALS("v", SIZE), REALS("w", SIZE))
