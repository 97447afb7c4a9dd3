/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Cells of one colour of two in place, in three dimensions. FORM: 1 rows that begin one to the side; 2 a condition;
 * 3 rows, and a sweep over all cells; 4 a colour beside what it leaves in another array; 5 where rows begin takes turns. */
#include "harness.h"

#ifndef FORM
#define FORM 1
#endif
#define AT(a, k, i, j) a[((k) * n + (i)) * m + (j)]
#define MEAN(k, i, j)                                                                              \
    ((REAL)0.125 * (AT(u, k - 1, i, j) + AT(u, k + 1, i, j) + AT(u, k, i - 1, j) + AT(u, k, i + 1, j) + AT(u, k, i, j - 1) + \
                    AT(u, k, i, j + 1) - AT(f, k, i, j)))
#define PLANES for (long k = 1; k < l - 1; k++) for (long i = 1; i < n - 1; i++)

KERNEL void redblack3d(long l, long n, long m, long steps, REAL *restrict u, REAL *restrict f) {
    for (long t = 0; t < steps; t++) {
#if FORM == 1 || FORM == 3
        for (int colour = 0; colour < 2; colour++)
            PLANES for (long j = 1 + (k + i + colour) % 2; j < m - 1; j += 2) AT(u, k, i, j) = MEAN(k, i, j);
#elif FORM == 2
        for (int colour = 0; colour < 2; colour++)
            PLANES for (long j = 1; j < m - 1; j++) if ((k + i + j) % 2 == colour) AT(u, k, i, j) = MEAN(k, i, j);
#elif FORM == 4
        PLANES for (long j = 1; j < m - 1; j++) if ((k + i + j) % 2 == 0) AT(u, k, i, j) = MEAN(k, i, j);
        PLANES for (long j = 1; j < m - 1; j++) AT(f, k, i, j) = AT(u, k, i, j + 1) - AT(u, k - 1, i, j) + AT(u, k, i, j);
#elif FORM == 5
        int of_step = 1;
        for (int colour = 0; colour < 2; colour++) {
            int of_plane = of_step;
            for (long k = 1; k < l - 1; k++) {
                int at = of_plane;
                for (long i = 1; i < n - 1; i++) {
                    for (long j = at; j < m - 1; j += 2) AT(u, k, i, j) = MEAN(k, i, j);
                    at = 3 - at;
                }
                of_plane = 3 - of_plane;
            }
            of_step = 3 - of_step;
        }
#endif
#if FORM == 3
        for (long k = 0; k < l; k++)
            for (long i = 0; i < n; i++)
                for (long j = 0; j < m; j++)
                    AT(f, k, i, j) = (REAL)0.5 * AT(f, k, i, j) + (REAL)0.25 * AT(u, k, i, j);
#endif
    }
}

PROGRAM(3, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1) * INSIDE(n[2], 1, 1),
        redblack3d((long)n[0], (long)n[1], (long)n[2], (long)steps, b[0], b[1]), REALS("u", n[0] * n[1] * n[2]), REALS("f", n[0] * n[1] * n[2]))
