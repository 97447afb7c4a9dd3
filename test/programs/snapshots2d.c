/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Work that only some steps have, beside a sweep. FORM: 1 a copy of the array to a row of copies, 2
 * a mean over steps, 3 both, in different steps, 4 a source up to some step, 5 a copy in front of
 * the sweep, 6 in some steps chosen by what a nest computes. TURN: 1 pointers exchanged, 2 copied
 * back. EVERY: in each step of that number. */
#include "harness.h"
#include <string.h>

#ifndef FORM
#define FORM 1
#endif
#ifndef TURN
#define TURN 1
#endif
#ifndef EVERY
#define EVERY 3
#endif
#define EACH                                                                                       \
    for (long i = 1; i < n - 1; i++)                                                               \
        for (long j = 1; j < m - 1; j++)
#define MEAN                                                                                       \
    ((REAL)0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] + a[i * m + j + 1]))

KERNEL static REAL snapshots2d(long n, long m, long steps, REAL *a, REAL *b, REAL *kept,
                               REAL *mean) {
    long copies = 0;
    REAL most = 0;
    for (long t = 0; t < steps; t++) {
#if FORM == 5
        if (t % EVERY == 0)
            memcpy(kept + copies++ % 4 * n * m, a, (size_t)(n * m) * sizeof *a);
#endif
        EACH b[i * m + j] = MEAN;
#if TURN == 1
        REAL *was = a;
        a = b;
        b = was;
#else
        EACH a[i * m + j] = b[i * m + j];
#endif
#if FORM == 1 || FORM == 3
        if (t % EVERY == 0)
            memcpy(kept + copies++ % 4 * n * m, a, (size_t)(n * m) * sizeof *a);
#endif
#if FORM == 2 || FORM == 3
        if (t % EVERY == EVERY - 1)
            EACH mean[i * m + j] += a[i * m + j];
#endif
#if FORM == 4
        if (t < EVERY)
            a[n / 2 * m + m / 2] += 1;
#endif
#if FORM == 6
        most = 0;
        EACH most = a[i * m + j] > most ? a[i * m + j] : most;
        if (most > (REAL)0.4)
            EACH mean[i * m + j] += a[i * m + j];
#endif
    }
    return (REAL)copies + most;
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        *(REAL *)b[4] = snapshots2d(n[0], n[1], steps, b[0], b[1], b[2], b[3]),
        REALS("a", n[0] * n[1]), REALS("b", n[0] * n[1]), REALS("kept", 4 * n[0] * n[1]),
        REALS("mean", n[0] * n[1]), REALS("found", 1))
