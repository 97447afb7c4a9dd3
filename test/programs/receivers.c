/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Pressure and velocities in place, in RANK dimensions, with a source in a cell and receivers: each
 * step keeps the pressure of one cell, and a velocity of another one, in arrays of all steps. FIRST:
 * the receivers come before the sweeps. WAVE: one field that takes turns with the older one. */
#include "harness.h"

#ifndef RANK
#define RANK 2
#endif
#ifndef PLACE
#define PLACE(n, k) ((n) / (k))
#endif
#define HALF ((REAL)0.25)
#define EACH(low)                                                                                  \
    for (long i = RANK > 2 ? low : 0; i < (RANK > 2 ? n - 1 : 1); i++)                             \
        for (long j = RANK > 1 ? low : 0; j < (RANK > 1 ? m - 1 : 1); j++)                         \
            for (long k = low; k < l - 1; k++)
#define AT(x) x[(i * m + j) * l + k]
#define IN(x, a) x[(PLACE(n, a) * m + PLACE(m, a)) * l + PLACE(l, a)]
#define ROWS (m * l)
#define KEEP                                                                                       \
    do {                                                                                           \
        trace[t] = IN(p, 4);                                                                       \
        other[t] = IN(u, 3) * 2 - (REAL)t;                                                         \
    } while (0)

KERNEL static void receive(long n, long m, long l, long steps, REAL *p, REAL *u, REAL *v, REAL *w,
                           const REAL *restrict source, REAL *trace, REAL *other) {
    (void)v, (void)w;
    for (long t = 0; t < steps; t++) {
#ifdef FIRST
        KEEP;
#endif
#ifdef WAVE
        EACH(1) {
            REAL around = p[(i * m + j) * l + k - 1] + p[(i * m + j) * l + k + 1] - 2 * AT(p);
#if RANK > 1
            around += AT((p - l)) + AT((p + l)) - 2 * AT(p);
#endif
#if RANK > 2
            around += AT((p - ROWS)) + AT((p + ROWS)) - 2 * AT(p);
#endif
            AT(u) = 2 * AT(p) - AT(u) + HALF * around;
        }
        IN(u, 2) += source[t];
        REAL *was = p;
        p = u;
        u = was;
#else
        EACH(0) {
            AT(u) -= HALF * (AT((p + 1)) - AT(p));
#if RANK > 1
            AT(v) -= HALF * (AT((p + l)) - AT(p));
#endif
#if RANK > 2
            AT(w) -= HALF * (AT((p + ROWS)) - AT(p));
#endif
        }
        EACH(1) {
            REAL sum = AT(u) - AT((u - 1));
#if RANK > 1
            sum += AT(v) - AT((v - l));
#endif
#if RANK > 2
            sum += AT(w) - AT((w - ROWS));
#endif
            AT(p) -= HALF * sum;
        }
        IN(p, 2) += source[t];
#endif
#ifndef FIRST
        KEEP;
#endif
    }
}

#define SIZE(d) (RANK > (d) ? n[RANK > (d) ? RANK - 1 - (d) : 0] : 1)
#define ALL (SIZE(0) * SIZE(1) * SIZE(2))
PROGRAM(RANK, ALL,
        receive(SIZE(2), SIZE(1), SIZE(0), steps, b[0], b[1], b[2], b[3], b[4], b[5], b[6]),
        REALS("p", ALL), REALS("u", ALL), REALS("v", ALL), REALS("w", ALL), REALS("source", 1000),
        REALS("trace", 1000), REALS("other", 1000))
