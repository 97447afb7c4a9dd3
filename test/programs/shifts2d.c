/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loops that hold several loops, and sweeps in place that read what they write later. FORM: 1
 * components of cells are shifted in all directions, as in a lattice Boltzmann method; 2 the same
 * in planes; 3 loops of different lengths over different arrays; 4 in place, with a mask and
 * several cells that are written later; 5 two arrays in place in one loop. Not taken: 6 cells that
 * are written before; 7 a loop that writes what the next one reads; 8 one that writes what the one
 * before reads in the next row. With TIME the steps are a time loop. */
#include "harness.h"

#ifndef FORM
#define FORM 1
#endif

#define Q 5
#if FORM == 2
#define F(k, i, j) f[((k) * n + (i)) * m + (j)]
#else
#define F(k, i, j) f[((i) * m + (j)) * Q + (k)]
#endif
#define UP(i, n) for (long i = 0; i < (n); i++)
#define DOWN(i, n) for (long i = (n) - 1; i >= 0; i--)
#define A(i, j) f[(i) * m + (j)]
#define B(i, j) g[(i) * m + (j)]
#define C(i, j) h[(i) * m + (j)]
#define HALF ((REAL)0.5)

static inline void step(long n, long m, REAL *restrict f, REAL *restrict g, REAL *restrict h) {
    (void)g, (void)h;
#if FORM < 3
    UP(i, n) {
        for (long j = m - 1; j > 0; j--)
            F(1, i, j) = F(1, i, j - 1);
        for (long j = 0; j < m - 1; j++)
            F(2, i, j) = F(2, i, j + 1);
    }
    for (long i = n - 1; i > 0; i--) {
        UP(j, m) F(3, i, j) = F(3, i - 1, j);
        for (long j = m - 1; j > 0; j--)
            F(4, i, j) = F(4, i - 1, j - 1) * HALF + F(4, i, j) * HALF;
    }
    for (long i = 0; i < n - 1; i++) {
        for (long j = 0; j < m - 1; j++)
            F(0, i, j) = F(0, i + 1, j + 1) + HALF;
    }
#elif FORM == 3
    UP(i, n) {
        for (long j = 1; j < m - 1; j++)
            B(i, j) = A(i, j - 1) + A(i, j + 1) * HALF;
        for (long j = 0; j < m - 2; j++)
            C(i, j) = A(i, j + 2) - A(i, j);
    }
#elif FORM == 4
    for (long i = 1; i < n - 1; i++)
        for (long j = 1; j < m - 1; j++)
            if (B(i, j) > HALF)
                A(i, j) = A(i, j) * HALF + A(i, j + 1) * C(i, j) + A(i + 1, j - 1) + A(i + 1, j);
#elif FORM == 5
    for (long i = n - 2; i > 0; i--)
        for (long j = m - 2; j > 0; j--) {
            A(i, j) = A(i, j - 1) + C(i, j);
            B(i, j) = B(i - 1, j + 1) * HALF + B(i, j);
        }
#elif FORM == 6
    UP(i, n - 1)
    for (long j = 1; j < m - 1; j++)
        A(i, j) = A(i, j - 1) * HALF + A(i, j + 1);
#elif FORM == 7
    UP(i, n) {
        for (long j = 1; j < m - 1; j++)
            B(i, j) = A(i, j - 1) + A(i, j + 1) * HALF;
        for (long j = 1; j < m - 1; j++)
            C(i, j) = B(i, j - 1) - B(i, j + 1);
    }
#else
    UP(i, n - 1) {
        for (long j = 1; j < m - 1; j++)
            B(i, j) = A(i, j - 1) + A(i, j + 1) * HALF;
        for (long j = 1; j < m - 1; j++)
            A(i + 1, j) = B(i, j) * HALF + C(i, j);
    }
#endif
}

#ifdef TIME
KERNEL void drive(long n, long m, long steps, REAL *restrict f, REAL *restrict g,
                  REAL *restrict h) {
    for (long t = 0; t < steps; t++)
        step(n, m, f, g, h);
}
#else
KERNEL void once(long n, long m, REAL *restrict f, REAL *restrict g, REAL *restrict h) {
    step(n, m, f, g, h);
}

static void drive(long n, long m, long steps, REAL *f, REAL *g, REAL *h) {
    for (long t = 0; t < steps; t++)
        once(n, m, f, g, h);
}
#endif

PROGRAM(2, n[0] * n[1], drive(n[0] + 2, n[1] + 2, steps, b[0], b[1], b[2]),
        REALS("f", (n[0] + 2) * (n[1] + 2) * (FORM < 3 ? Q : 1)),
        REALS("g", (n[0] + 2) * (n[1] + 2)), REALS("h", (n[0] + 2) * (n[1] + 2)))
