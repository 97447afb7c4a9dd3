/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Cells that are read only under a condition. FORM: 1 neighbours by a mask, in a call a step; 2
 * upwind along both dimensions, in a call a step; 3 the same in a time loop; 4 at
 * indices that conditions choose, in a call a step; 5 the same in a time loop, with a limiter; 6 of
 * a row chosen by a branch. With BARE the arrays have no rows and columns but those of the sweep,
 * the speeds are such that no cell beside them is read, and guard pages follow. */
#include "harness.h"

#ifndef FORM
#define FORM 1
#endif
#define CELLS                                                                                      \
    for (long i = LOW; i < n - LOW; i++)                                                           \
        for (long j = LOW; j < m - LOW; j++)
#ifdef BARE
#define LOW 0
#define SPEED(i, n, v) ((i) == 0 ? -1 : (i) == (n) - 1 ? 1 : (v))
#else
#define LOW 2
#define SPEED(i, n, v) (v)
#endif
#define QUARTER ((REAL)0.25)

static inline void sweep(long n, long m, const REAL *restrict a, REAL *restrict b,
                         const REAL *restrict u, const REAL *restrict v,
                         const int32_t *restrict mask) {
    (void)u, (void)v, (void)mask;
    CELLS {
        long c = i * m + j;
#if FORM == 1
        REAL s = a[c];
        if (mask[c] & 1)
            s += QUARTER * a[c - 1];
        if (mask[c] & 2)
            s -= QUARTER * a[c + m];
        b[c] = s;
#elif FORM == 4
        int left = u[c] > 0;
        long k = v[c] > 0 ? c - m : c, l = v[c] > 0 ? c : c + m;
        b[c] = a[i * m + j - left] - QUARTER * (a[k] + a[l] * u[c - left]);
#elif FORM == 5
        long upwind, donor, downwind;
        if (u[c] > 0) {
            upwind = j - 2;
            donor = j - 1;
            downwind = j;
        } else {
            upwind = j + 1;
            donor = j;
            downwind = j - 1;
        }
        REAL du = a[i * m + donor] - a[i * m + upwind];
        REAL dd = a[i * m + downwind] - a[i * m + donor], limited = 0;
        if (du * dd > 0)
            limited = (1 - u[c]) * (du < dd ? du : dd) * v[i * m + donor];
        b[c] = a[i * m + donor] - QUARTER * limited;
#elif FORM == 6
        const REAL *row = v[c] > 0 ? u[c] > 0 ? a + c - m : a + c + m : a + c;
        b[c] = row[-1] + row[1];
#else
        REAL x = u[c] > 0 ? a[c] - a[c - 1] : a[c + 1] - a[c];
        REAL y = v[c] > 0 ? a[c] - a[c - m] : a[c + m] - a[c];
        b[c] = a[c] - QUARTER * (u[c] * x + v[c] * y);
#endif
    }
}

KERNEL void once(long n, long m, const REAL *a, REAL *b, const REAL *u, const REAL *v,
                 const int32_t *mask) {
    sweep(n, m, a, b, u, v, mask);
}

KERNEL void loop(long n, long m, long steps, REAL *a, REAL *b, const REAL *u, const REAL *v,
                 const int32_t *mask) {
    for (long t = 0; t < steps; t++) {
        sweep(n, m, a, b, u, v, mask);
        REAL *was = a;
        a = b;
        b = was;
    }
}

/* Not looked at. */
__attribute__((optnone, noinline)) static void prepare(long n, long m, REAL *u, REAL *v,
                                                       int32_t *mask) {
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++) {
            u[i * m + j] = SPEED(j, m, u[i * m + j] - (REAL)0.5);
            v[i * m + j] = SPEED(i, n, v[i * m + j] - (REAL)0.5);
#ifdef BARE
            mask[i * m + j] &= (j > 0) + 2 * (i < n - 1);
#else
            (void)mask;
#endif
        }
}

static void run(long n, long m, long steps, REAL *a, REAL *b, REAL *u, REAL *v, int32_t *mask) {
    prepare(n, m, u, v, mask);
    if (FORM == 3 || FORM > 4) {
        loop(n, m, steps, a, b, u, v, mask);
        return;
    }
    for (long t = 0; t < steps; t++) {
        once(n, m, a, b, u, v, mask);
        REAL *was = a;
        a = b;
        b = was;
    }
}

#ifdef BARE
#define EXTENT(n) (n)
#else
#define EXTENT(n) ((n) + 4)
#endif
#define SIZE (EXTENT(n[0]) * EXTENT(n[1]))
PROGRAM(2, n[0] * n[1], run(EXTENT(n[0]), EXTENT(n[1]), steps, b[0], b[1], b[2], b[3], b[4]),
        REALS("a", SIZE), REALS("b", SIZE), REALS("u", SIZE), REALS("v", SIZE),
        INTEGERS("mask", int32_t, SIZE, 0, 4))
