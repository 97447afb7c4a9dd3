/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Steps of many sweeps, which kernels may make in parts. By default eight fields: a sweep for what
 * changes each, which reads others, too, and one that adds it; WIDE: how far apart rows are read.
 * FORM=1: two buffers that take turns; later sweeps read both, edges are set between. FORM=2:
 * u[t+1] takes the place of u[t-1], and other arrays follow. FORM=3: sweeps of every third step, a
 * cell at a place, numbers of each step. FORM=4: indices come round, where each sweep reads to one
 * side only, and to the other one of an array that nobody writes. FORM=5: the same with clamped
 * indices, in one array that is copied back. */
#include "harness.h"

#ifndef FORM
#define FORM 0
#endif

#define ROWS(body)                                                                                 \
    for (int i = 0; i < n; i++)                                                                    \
        for (int j = 0; j < m; j++)                                                                \
            body;
#define INNER(r, body)                                                                             \
    for (int i = r; i < n - r; i++)                                                                \
        for (int j = r; j < m - r; j++)                                                            \
            body;

#if FORM == 0
#ifndef WIDE
#define WIDE 2
#endif
#define CHANGE(d, u, v, w)                                                                         \
    INNER(WIDE,                                                                                    \
          d[i][j] = (REAL)0.1 * (u[i - WIDE][j] + u[i + WIDE][j] + u[i][j - 1] - 3 * u[i][j]) +    \
                    (REAL)0.05 * (v[i - 1][j] - v[i + 1][j]) * w[i][j + 1])
#define ADD(d, u) INNER(WIDE, u[i][j] += (REAL)0.25 * d[i][j])

KERNEL void run(int steps, int n, int m, REAL a[n][m], REAL b[n][m], REAL c[n][m], REAL d[n][m],
                REAL e[n][m], REAL f[n][m], REAL g[n][m], REAL h[n][m], REAL da[n][m],
                REAL db[n][m], REAL dc[n][m], REAL dd[n][m], REAL de[n][m], REAL df[n][m],
                REAL dg[n][m], REAL dh[n][m]) {
    if (n < 2 * WIDE + 1 || m < 2 * WIDE + 1)
        return;
    for (int t = 0; t < steps; t++) {
        CHANGE(da, a, b, c)
        CHANGE(db, b, c, d)
        CHANGE(dc, c, d, e)
        CHANGE(dd, d, e, f)
        CHANGE(de, e, f, g)
        CHANGE(df, f, g, h)
        CHANGE(dg, g, h, a)
        CHANGE(dh, h, a, b)
        ADD(da, a)
        ADD(db, b)
        ADD(dc, c)
        ADD(dd, d)
        ADD(de, e)
        ADD(df, f)
        ADD(dg, g)
        ADD(dh, h)
    }
}

PROGRAM(2, INSIDE(n[0], WIDE, WIDE) * INSIDE(n[1], WIDE, WIDE),
        run(steps, n[0], n[1], b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10],
            b[11], b[12], b[13], b[14], b[15]),
        REALS("a", n[0] * n[1]), REALS("b", n[0] * n[1]), REALS("c", n[0] * n[1]),
        REALS("d", n[0] * n[1]), REALS("e", n[0] * n[1]), REALS("f", n[0] * n[1]),
        REALS("g", n[0] * n[1]), REALS("h", n[0] * n[1]), REALS("da", n[0] * n[1]),
        REALS("db", n[0] * n[1]), REALS("dc", n[0] * n[1]), REALS("dd", n[0] * n[1]),
        REALS("de", n[0] * n[1]), REALS("df", n[0] * n[1]), REALS("dg", n[0] * n[1]),
        REALS("dh", n[0] * n[1]))

#else

KERNEL void run(int steps, int n, int m, REAL (*a)[m], REAL (*b)[m], REAL u[n][m], REAL v[n][m],
                REAL w[n][m], const REAL k[n][m], const REAL *source, int i0, int j0) {
    if (n < 5 || m < 5)
        return;
    for (int t = 0; t < steps; t++) {
#if FORM == 1
        INNER(1, u[i][j] += (REAL)0.25 * (a[i - 1][j] - a[i][j + 1]))
        INNER(1, b[i][j] = a[i][j] + (REAL)0.1 * (a[i + 1][j] + a[i][j - 1] - u[i - 1][j]))
        INNER(1, v[i][j] += (REAL)0.125 * (b[i][j] - a[i - 1][j] + b[i + 1][j + 1]))
        for (int j = 0; j < m; j++)
            v[0][j] = b[1][j] * (REAL)0.5;
        for (int i = 0; i < n; i++)
            u[i][m - 1] = v[i][m - 2];
        INNER(1, w[i][j] = (REAL)0.5 * w[i][j] + v[i - 1][j] - a[i][j] + b[i][j - 1])
        REAL(*turn)[m] = a;
        a = b;
        b = turn;
#elif FORM == 2
        INNER(1, u[i][j] += (REAL)0.25 * (a[i - 1][j] - a[i][j + 1]))
        INNER(1, b[i][j] = 2 * a[i][j] - b[i][j] + (REAL)0.1 * (a[i + 1][j] - u[i][j - 1]))
        for (int j = 0; j < m; j++)
            b[0][j] = b[1][j] * (REAL)0.5;
        INNER(1, v[i][j] += (REAL)0.125 * (b[i][j - 1] - b[i + 1][j + 1]) * k[i][j])
        INNER(1, w[i][j] = (REAL)0.5 * (w[i][j] + v[i - 1][j]) - a[i][j])
        REAL(*turn)[m] = a;
        a = b;
        b = turn;
#elif FORM == 3
        INNER(1, u[i][j] += (REAL)0.25 * (v[i - 1][j] - v[i][j + 1]) * source[t])
        if (t % 3 == 0)
            INNER(1, v[i][j] = (REAL)0.5 * (v[i][j] + w[i + 1][j]))
        u[i0][j0] += source[t];
        INNER(1, w[i][j] += (REAL)0.125 * (u[i][j - 1] - u[i + 1][j]) + (REAL)(t + i) * 0x1p-9f)
        if (t % 3 == 1)
            for (int j = 0; j < m; j++)
                w[n - 1][j] = u[n - 2][j];
        INNER(1, v[i][j] -= (REAL)0.125 * (w[i - 1][j] - w[i][j + 1]) * k[i][j])
#elif FORM == 4
        ROWS(u[i][j] +=
             (REAL)0.25 * (v[i][(j + 1) % m] - v[(i + 1) % n][j]) * k[i][(j + m - 1) % m])
        ROWS(v[i][j] -= (REAL)0.25 * u[(i + n - 1) % n][j] * k[(i + n - 1) % n][j])
        ROWS(w[i][j] = v[i][j] + (REAL)0.5 * (u[i][(j + 1) % m] - k[i][j] * w[i][j]))
#elif FORM == 5
#define UP(i) ((i) > 0 ? (i) - 1 : 0)
        ROWS(u[i][j] += (REAL)0.25 * (a[UP(i)][j] - a[i][UP(j)]) * k[i][UP(j)])
        ROWS(b[i][j] = a[i][j] + (REAL)0.25 * u[i < n - 1 ? i + 1 : n - 1][j])
        ROWS(v[i][j] = (REAL)0.5 * v[i][j] + b[UP(i)][j])
        ROWS(a[i][j] = b[i][j])
#endif
    }
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        run(steps, n[0], n[1], b[0], b[1], b[2], b[3], b[4], b[5], b[6], n[0] / 2, n[1] / 3),
        REALS("a", n[0] * n[1]), REALS("b", n[0] * n[1]), REALS("u", n[0] * n[1]),
        REALS("v", n[0] * n[1]), REALS("w", n[0] * n[1]), REALS("k", n[0] * n[1]),
        REALS("source", 64))
#endif
