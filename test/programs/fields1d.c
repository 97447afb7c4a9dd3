/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Time steps of several sweeps in one dimension. FORM is one of:
 *   WAVES     electric and magnetic field, in place, staggered; MEDIUM: with coefficient arrays
 *   STAGES    a predictor and a corrector, with fluxes of their own (MacCormack)
 *   GAS       three conserved quantities and their fluxes (Lax-Friedrichs)
 *   REACTION  two fields, each with two buffers that take turns
 *   ROUND     an upwind step and a diffusive one, with periodic indices
 *   BENT      the same with indices that are clamped and mirrored
 *   LEVELS    three time levels in two arrays, then a sweep over one of them
 *   CLOCK     a number that changes each step, and a sweep of every third step
 *   ALONE     one sweep with periodic indices, two buffers that take turns
 *   PAST      one sweep that reads two time levels, three buffers in turns
 *   EDGES     cells at the ends and one at a place, set by themselves, and a number of each step
 *   STOPS     the greatest change ends the loop
 *   DRIVEN    the first cell is a number of each step, set first, or last with LATE: LLVM keeps it
 *             in a register, and stores it behind the time loop */
#include "harness.h"

#define WAVES 1
#define STAGES 2
#define GAS 3
#define REACTION 4
#define ROUND 5
#define BENT 6
#define LEVELS 7
#define CLOCK 8
#define ALONE 9
#define PAST 10
#define EDGES 11
#define STOPS 12
#define DRIVEN 13
#ifndef FORM
#define FORM WAVES
#endif
#ifndef INDEX
#define INDEX int
#endif

#define C (REAL)0.0625
#define HALF (REAL)0.5
#ifndef LEAST
#define LEAST (REAL)0.3
#endif
#define SWAP(x, y)                                                                                 \
    do {                                                                                           \
        REAL *swap = x;                                                                            \
        x = y;                                                                                     \
        y = swap;                                                                                  \
    } while (0)

KERNEL void fields(INDEX n, int steps, REAL *restrict a, REAL *restrict b, REAL *restrict c,
                   REAL *restrict d, REAL *restrict e, REAL *restrict f, const REAL *source) {
#if FORM == EDGES
    if (n < 5)
        return;
#endif
    for (int t = 0; t < steps; t++) {
#if FORM == WAVES
        for (INDEX i = 0; i < n - 1; i++)
#ifdef MEDIUM
            b[i] = c[i] * b[i] + d[i] * (a[i + 1] - a[i]);
        for (INDEX i = 1; i < n - 1; i++)
            a[i] = e[i] * a[i] + f[i] * (b[i] - b[i - 1]);
#else
            b[i] += HALF * (a[i + 1] - a[i]);
        for (INDEX i = 1; i < n - 1; i++)
            a[i] += HALF * (b[i] - b[i - 1]);
#endif
#elif FORM == STAGES
        for (INDEX i = 0; i < n; i++)
            b[i] = HALF * a[i] * a[i];
        for (INDEX i = 0; i < n - 1; i++)
            c[i] = a[i] - C * (b[i + 1] - b[i]);
        for (INDEX i = 0; i < n - 1; i++)
            d[i] = HALF * c[i] * c[i];
        for (INDEX i = 1; i < n - 1; i++)
            a[i] = HALF * (a[i] + c[i] - C * (d[i] - d[i - 1]));
#elif FORM == GAS
        for (INDEX i = 0; i < n - 1; i++) {
            REAL left = b[i] / (2 + a[i]), right = b[i + 1] / (2 + a[i + 1]);
            d[i] = HALF * (b[i] + b[i + 1]) - C * (a[i + 1] - a[i]);
            e[i] = HALF * (b[i] * left + b[i + 1] * right) - C * (b[i + 1] - b[i]);
            f[i] = HALF * (c[i] * left + c[i + 1] * right) - C * (c[i + 1] - c[i]);
        }
        for (INDEX i = 1; i < n - 1; i++) {
            a[i] -= C * (d[i] - d[i - 1]);
            b[i] -= C * (e[i] - e[i - 1]);
            c[i] -= C * (f[i] - f[i - 1]);
        }
#elif FORM == REACTION
        for (INDEX i = 1; i < n - 1; i++)
            b[i] = a[i] + C * (a[i - 1] - 2 * a[i] + a[i + 1]) - C * a[i] * c[i] * c[i];
        for (INDEX i = 2; i < n - 2; i++)
            d[i] = c[i] + C * (c[i - 2] - 2 * c[i] + c[i + 2]) + C * b[i] * c[i] * c[i];
        SWAP(a, b);
        SWAP(c, d);
#elif FORM == ROUND
        for (INDEX i = 0; i < n; i++)
            b[i] = a[i] - C * (a[i] - a[(i + n - 1) % n]);
        for (INDEX i = 0; i < n; i++)
            a[i] = b[i] + C * (b[(i + 1) % n] - 2 * b[i] + b[(i + n - 1) % n]);
#elif FORM == BENT
        for (INDEX i = 0; i < n; i++)
            b[i] = a[i] - C * (a[i] - a[i > 0 ? i - 1 : 0]);
        for (INDEX i = 0; i < n; i++)
            a[i] = b[i] + C * (b[i < n - 1 ? i + 1 : n - 1] - 2 * b[i] + b[i > 0 ? i - 1 : 0]);
#elif FORM == LEVELS
        for (INDEX i = 1; i < n - 1; i++)
            a[i] = 2 * b[i] - a[i] + C * (b[i - 1] - 2 * b[i] + b[i + 1]) + c[i];
        for (INDEX i = 1; i < n - 1; i++)
            c[i] = C * (a[i + 1] - a[i - 1]);
        SWAP(a, b);
#elif FORM == CLOCK
        for (INDEX i = 1; i < n - 1; i++)
            b[i] = b[i] + C * (a[i + 1] - a[i - 1]) + (REAL)t * C * e[i];
        for (INDEX i = 1; i < n - 1; i++)
            a[i] = a[i] + C * (b[i + 1] - b[i - 1]);
        if (t % 3 == 1)
            for (INDEX i = 0; i < n; i++)
                a[i] = a[i] - C * d[i];
#elif FORM == ALONE
        for (INDEX i = 0; i < n; i++)
            b[i] = a[i] - C * (a[i] - a[(i + n - 1) % n]);
        SWAP(a, b);
#elif FORM == PAST
        for (INDEX i = 1; i < n - 1; i++)
            c[i] = 2 * b[i] - a[i] + C * (b[i - 1] - 2 * b[i] + b[i + 1]);
        SWAP(a, b);
        SWAP(b, c);
#elif FORM == EDGES
        for (INDEX i = 0; i < n - 1; i++)
            b[i] += HALF * (a[i + 1] - a[i]);
        b[n / 2] -= HALF * source[t];
        for (INDEX i = 1; i < n - 1; i++)
            a[i] += HALF * (b[i] - b[i - 1]);
        a[3] += d[0] * SQRT((REAL)t);
        a[0] = a[1];
        a[n - 1] = a[n - 2];
#elif FORM == STOPS
        REAL most = 0;
        for (INDEX i = 1; i < n - 1; i++) {
            b[i] = HALF * (a[i - 1] + a[i + 1]);
            REAL change = b[i] > a[i] ? b[i] - a[i] : a[i] - b[i];
            most = change > most ? change : most;
        }
        for (INDEX i = 1; i < n - 1; i++)
            a[i] = b[i] + C * c[i];
        if (most < LEAST)
            break;
#elif FORM == DRIVEN
#ifndef LATE
        a[0] = (REAL)exp(C * -t);
#endif
        for (INDEX i = 0; i < n - 1; i++)
            b[i] += HALF * (a[i + 1] - a[i]);
        for (INDEX i = 1; i < n - 1; i++)
            a[i] += HALF * (b[i] - b[i - 1]);
#ifdef LATE
        a[0] = (REAL)exp(C * -t);
#endif
#endif
    }
}

PROGRAM(1, INSIDE(n[0], 1, 1), fields((INDEX)n[0], steps, b[0], b[1], b[2], b[3], b[4], b[5], b[6]),
        REALS("a", n[0]), REALS("b", n[0]), REALS("c", n[0]), REALS("d", n[0]), REALS("e", n[0]),
        REALS("f", n[0]), REALS("source", 64))
