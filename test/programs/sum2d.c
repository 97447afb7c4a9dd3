/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A sum of floating-point numbers beside the sweep, live after the time loop, which it may end: with -DWHOLE
 * of whole numbers, so small that their sum has the same bits in any order. */
#include "harness.h"

#ifdef WHOLE
#define VALUE(x) ((REAL)((int)((x)*64) & 63))
#else
#define VALUE(x) (x)
#endif
#ifdef CHANGE
#define ADD(all, new, old) ((all) -= (new) - (old)*3 - 1)
#elif defined LINEAR
#define ADD(all, new, old) ((all) += (new))
#else
#define ADD(all, new, old) ((all) += (new) * (new))
#endif
#ifndef START
#define START 0
#endif

KERNEL static void sum2d(long n, long m, long most_steps, REAL limit, REAL *a, REAL *b, REAL *found,
                         int *count) {
    REAL all = -1;
    int step;
    for (step = 0; step < most_steps; step++) {
        all = START;
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < m - 1; j++) {
                REAL new = VALUE((REAL)0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] +
                                               a[i * m + j - 1] + a[i * m + j + 1]));
                ADD(all, new, a[i * m + j]);
                b[i * m + j] = new;
            }
        REAL *was = a;
        a = b;
        b = was;
        if (SQRT(all) < limit)
            break;
    }
    *found = all;
    *count = step;
}

#ifndef LIMIT
#define LIMIT -1
#endif

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        sum2d(n[0], n[1], steps, (REAL)(LIMIT), b[0], b[1], b[2], b[3]), REALS("a", n[0] * n[1]),
        REALS("b", n[0] * n[1]), REALS("found", 1), INTEGERS("count", int, 1, 0, 9))
