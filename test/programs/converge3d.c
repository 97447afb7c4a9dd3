/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Values in a box until they are flat: the greatest and the least are found while the result is
 * copied back, and both are live. */
#include "harness.h"

KERNEL static void converge3d(long n, long m, long l, long most_steps, REAL eps, REAL *a, REAL *b,
                              REAL *extremes, int *count) {
    REAL most = 0, least = 0;
    int step = 0;
    do {
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < m - 1; j++)
                for (long k = 1; k < l - 1; k++) {
                    REAL *c = a + (i * m + j) * l + k;
                    b[(i * m + j) * l + k] =
                        (c[-1] + c[1] + c[-l] + c[l] + c[-m * l] + c[m * l]) / 6;
                }
        most = (REAL)-1e30;
        least = (REAL)1e30;
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < m - 1; j++)
                for (long k = 1; k < l - 1; k++) {
                    REAL v = b[(i * m + j) * l + k];
                    most = v > most ? v : most;
                    if (v < least)
                        least = v;
                    a[(i * m + j) * l + k] = v;
                }
        step++;
    } while (most - least > eps && step < most_steps);
    extremes[0] = most;
    extremes[1] = least;
    *count = step;
}

#define CELLS ((INSIDE(n[0], 1, 1)) * (INSIDE(n[1], 1, 1)) * (INSIDE(n[2], 1, 1)))
PROGRAM(3, CELLS, converge3d(n[0], n[1], n[2], steps, (REAL)0.5, b[0], b[1], b[2], b[3]),
        REALS("a", n[0] * n[1] * n[2]), REALS("b", n[0] * n[1] * n[2]), REALS("extremes", 2),
        INTEGERS("count", int, 1, 0, 9))
