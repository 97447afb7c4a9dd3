/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Bounds that are computed: COLUMNS of n, m, d and k, which are of type COUNT, and a time loop with
 * a stride. `d` is 0 where no column is. */
#include "harness.h"

#ifndef INDEX
#define INDEX int
#endif
#ifndef COUNT
#define COUNT int
#endif
#ifndef COLUMNS
#define COLUMNS (m / d)
#endif

KERNEL void heat(int n, COUNT m, COUNT d, COUNT k, long pitch, int end, int stride, REAL *a,
                 REAL *b) {
    (void)d, (void)k;
    if (m < 3)
        return;
    for (int t = 0; t < end; t += stride) {
        for (int i = 1; i < n - 1; i++)
            for (INDEX j = 1; j < COLUMNS; j++)
                b[i * pitch + j] = (REAL)0.5 * a[i * pitch + j] +
                                   (REAL)0.15 * (a[(i - 1) * pitch + j] + a[(i + 1) * pitch + j]) +
                                   (REAL)0.1 * (a[i * pitch + j - 1] + a[i * pitch + j + 1]);
        REAL *swap = a;
        a = b;
        b = swap;
    }
}

#define D (n[0] > 2 ? 2 : 0)
static long columns(long m, long d, long k) {
    (void)d, (void)k;
    return m > 2 && COLUMNS > 1 ? COLUMNS - 1 : 0;
}
PROGRAM(2, n[0] > 2 ? (n[0] - 2) * columns(n[1], D, 1) : 0,
        heat((int)n[0], (COUNT)n[1], (COUNT)D, 1, n[1], 3 * (int)steps, 3, b[0], b[1]),
        REALS("a", n[0] * n[1]), REALS("b", n[0] * n[1]))
