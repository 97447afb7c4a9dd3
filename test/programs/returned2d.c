/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sweeps without a time loop that give what they make of all cells: to the caller, which a
 * time loop elsewhere calls. FORM: 1 the greatest change; 2 the range and a number of cells; 3 a
 * sum of whole numbers; 4 a maximum that the next sweep uses, and a minimum of that. Nests that
 * write no array: 5 the greatest difference of two; 6 the range of a mean and a number of cells; 7
 * after a sweep of the same arrays; 8 a sum; 9 of a row; 10 of some of the cells; 11 of none; at the ends, 12 the greatest
 * difference from a neighbour that comes round, 13 a sum with one that is clamped; 14, 15 nothing is
 * read but what is brought back there. */
#include "harness.h"

#ifndef FORM
#define FORM 1
#endif
#ifndef RESTRICT
#define RESTRICT
#endif
#define CELLS                                                                                      \
    for (long i = 1; i < n - 1; i++)                                                               \
        for (long j = 1; j < m - 1; j++)
#define MEAN                                                                                       \
    ((REAL)0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] + a[i * m + j + 1]))

KERNEL static REAL returned(long n, long m, const REAL *RESTRICT a, REAL *RESTRICT b,
                            REAL *RESTRICT c, long *count) {
    (void)c, (void)b;
    REAL most = 0;
#if FORM == 1
    CELLS {
        REAL v = MEAN, d = v - a[i * m + j];
        d = d < 0 ? -d : d;
        if (d > most)
            most = d;
        b[i * m + j] = v;
    }
#elif FORM == 2
    REAL least = 1000;
    long warm = *count;
    CELLS {
        REAL v = MEAN;
        least = v < least ? v : least;
        most = v > most ? v : most;
        warm += v > (REAL)0.5;
        b[i * m + j] = v;
    }
    *count = warm;
    most -= least;
#elif FORM == 3
    CELLS {
        b[i * m + j] = MEAN;
        most += (REAL)(int)(64 * a[i * m + j + 1]);
    }
#elif FORM == 4
    CELLS {
        b[i * m + j] = MEAN;
        most = b[i * m + j] > most ? b[i * m + j] : most;
    }
    REAL scale = 1 / (most + 1), least = most;
    CELLS {
        REAL v = scale * (b[i * m + j - 1] + b[(i + 1) * m + j]);
        least = v < least ? v : least;
        c[i * m + j] = v;
    }
    most += least;
#elif FORM == 5
    CELLS {
        REAL d = a[i * m + j] - b[i * m + j];
        d = d < 0 ? -d : d;
        most = d > most ? d : most;
    }
#elif FORM == 6
    REAL least = 1000;
    long warm = *count;
    CELLS {
        REAL v = MEAN;
        least = v < least ? v : least;
        most = v > most ? v : most;
        warm += v > (REAL)0.5;
    }
    *count = warm;
    most -= least;
#elif FORM == 7
    CELLS b[i * m + j] = MEAN;
    CELLS {
        REAL d = a[i * m + j] - b[i * m + j];
        most = d > most ? d : most;
    }
#elif FORM == 8
    CELLS most += (REAL)(int)(64 * a[i * m + j]);
#elif FORM == 10
    REAL least = b[0];
    long warm = *count;
    CELLS {
        if (a[i * m + j] > (REAL)0.5) {
            REAL v = b[i * m + j + 1];
            least = v < least ? v : least;
            most = v > most ? v : most;
            warm += (long)(8 * v);
        }
    }
    *count = warm;
    most -= least;
#elif FORM == 11
    CELLS if (a[i * m + j] > 2 && b[i * m + j] > most) most = b[i * m + j];
#elif FORM == 12
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++) {
            long west = j == 0 ? m - 1 : j - 1, south = i == n - 1 ? 0 : i + 1;
            REAL d = a[i * m + j] - a[i * m + west] + a[south * m + j];
            most = d > most ? d : most;
        }
#elif FORM == 13
    for (long i = 1; i < n; i++)
        for (long j = 0; j < m; j++) {
            long east = j == m - 1 ? j : j + 1;
            most += a[i * m + j] * a[i * m + east];
        }
#elif FORM == 14
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++) {
            long west = j == 0 ? m - 1 : j - 1, east = j == m - 1 ? 0 : j + 1;
            long north = i == 0 ? n - 1 : i - 1, south = i == n - 1 ? 0 : i + 1;
            most += a[i * m + east] * a[i * m + west] - a[south * m + j] * a[north * m + j];
        }
#elif FORM == 15
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++) {
            REAL d = a[(i + 2) % n * m + j] - b[(i > 0 ? i - 1 : 0) * m + (j + m - 1) % m];
            most = d > most ? d : most;
        }
#elif FORM == 9
    for (long j = 1; j < m - 1; j++) {
        REAL v = a[m + j + 1] - a[m + j - 1];
        most = v > most ? v : most;
    }
#endif
    return most;
}

static void run(long n, long m, long steps, REAL *a, REAL *b, REAL *c, REAL *out, long *count) {
    for (long t = 0; t < steps; t++) {
        out[t % 8] = returned(n, m, a, b, c, count);
        REAL *was = a;
        a = b;
        b = was;
    }
}

/* With a frame of its own, so that each case has cells. */
PROGRAM(2, n[0] * n[1], run(n[0] + 2, n[1] + 2, steps, b[0], b[1], b[2], b[3], b[4]),
        REALS("a", (n[0] + 2) * (n[1] + 2)), REALS("b", (n[0] + 2) * (n[1] + 2)),
        REALS("c", (n[0] + 2) * (n[1] + 2)), REALS("out", 8), INTEGERS("count", long, 1, 0, 3))
