/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Two arrays that are set in one order at the edges, and in another one inside. TIMED: in a time
 * loop, with copies back. */
#include "harness.h"

KERNEL static void sinks2d(long n, long m, long steps, REAL *restrict u, REAL *restrict v,
                           REAL *restrict a, REAL *restrict b) {
    for (long t = 0; t < steps; t++) {
        for (long i = 0; i < n; i++)
            for (long j = 0; j < m; j++) {
                if (i == 0 || i == n - 1 || j == 0 || j == m - 1) {
                    v[i * m + j] = 0;
                    u[i * m + j] = 0;
                } else {
                    u[i * m + j] =
                        (REAL)0.5 * (a[i * m + j] + b[(i - 1) * m + j] - b[(i + 1) * m + j]);
                    v[i * m + j] = (REAL)0.5 * (b[i * m + j] + a[i * m + j - 1] - a[i * m + j + 1]);
                }
            }
#ifdef TIMED
        for (long i = 0; i < n; i++)
            for (long j = 0; j < m; j++) {
                a[i * m + j] = u[i * m + j];
                b[i * m + j] = v[i * m + j];
            }
#endif
    }
}

#ifdef TIMED
#define CELLS 4 * n[0] * n[1]
#else
#define CELLS 2 * n[0] * n[1]
#endif

PROGRAM(2, CELLS, sinks2d(n[0], n[1], steps, b[0], b[1], b[2], b[3]), REALS("u", n[0] * n[1]),
        REALS("v", n[0] * n[1]), REALS("a", n[0] * n[1]), REALS("b", n[0] * n[1]))
