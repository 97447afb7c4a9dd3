/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* An array that lives for one time step. GROWS: each is larger than the last, and none can take
 * the place of all. */
#include "harness.h"

#include <stdlib.h>

KERNEL void smooth(long n, long m, long steps, REAL *a) {
    for (long t = 0; t < steps; t++) {
#ifdef GROWS
        REAL *b = malloc((size_t)(n * m + t) * sizeof *b);
#else
        REAL *b = malloc((size_t)(n * m) * sizeof *b);
#endif
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < m - 1; j++)
                b[i * m + j] = (REAL)0.25 * (a[(i - 1) * m + j] + a[(i + 1) * m + j] +
                                             a[i * m + j - 1] + a[i * m + j + 1]);
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < m - 1; j++)
                a[i * m + j] = b[i * m + j];
        free(b);
    }
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1), smooth(n[0], n[1], steps, b[0]),
        REALS("a", n[0] * n[1]))
