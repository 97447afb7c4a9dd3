/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loops over a part of an array, given by numbers, that bring indices back at the ends of the whole
 * one. FORM: 1 periodic, from a first row to one before a last one; 2 clamped, both dimensions,
 * to a last one; 3 periodic rows that are counted from 1; 4 periodic, two cells away, a maximum too.
 * LESS: so many rows are left out at each end. */
#include "harness.h"

#ifndef FORM
#define FORM 1
#endif
#ifndef LESS
#define LESS 0
#endif
#ifdef _OPENMP
#define PARALLEL _Pragma("omp parallel for")
#else
#define PARALLEL
#endif
#define AT(a, i, j) a[(i) * m + (j)]

KERNEL static void part(int first, int last, int left, int right, int n, int m, REAL *restrict b,
                        const REAL *restrict a) {
#if FORM == 1
    PARALLEL for (int i = first; i < last; i++)
        for (int j = left; j < right; j++) {
            int up = i == 0 ? n - 1 : i - 1, down = i == n - 1 ? 0 : i + 1;
            int west = j == 0 ? m - 1 : j - 1;
            AT(b, i, j) = (REAL)0.5 * AT(a, up, j) + (REAL)0.25 * AT(a, down, j) - (REAL)0.25 * AT(a, i, west);
        }
#elif FORM == 2
    PARALLEL for (int i = first; i <= last - 1; i++)
        for (int j = left; j <= right - 1; j++) {
            int up = i > 1 ? i - 2 : 0, down = i < n - 1 ? i + 1 : n - 1, west = j > 0 ? j - 1 : 0;
            AT(b, i, j) = (REAL)0.5 * AT(a, up, j) - AT(a, down, j) * AT(a, i, west);
        }
#elif FORM == 3
    PARALLEL for (int i = first + 1; i <= last; i++)
        for (int j = 1; j < m - 1; j++) {
            int up = i == 1 ? n : i - 1, down = i == n ? 1 : i + 1;
            AT(b, i - 1, j) = AT(a, up - 1, j) - AT(a, down - 1, j) * AT(a, i - 1, j + 1);
        }
#elif FORM == 4
    PARALLEL for (int i = first; i < last; i++)
        for (int j = 0; j < m; j++)
            AT(b, i, j) = AT(a, (i + n - 2) % n, j) - (REAL)0.5 * AT(a, (i + 1) % n, (j + m - 1) % m);
#endif
}

static void run(int n, int m, long steps, REAL *a, REAL *b) {
    for (long t = 0; t < steps; t++) {
        part(LESS, n - LESS, LESS, m - LESS, n, m, b, a);
        REAL *was = a;
        a = b;
        b = was;
    }
}

PROGRAM(2, n[0] * n[1], run((int)n[0], (int)n[1], steps, b[0], b[1]), REALS("a", n[0] * n[1]), REALS("b", n[0] * n[1]))
