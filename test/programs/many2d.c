/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A time step of 40 sweeps between two arrays. */
#include "harness.h"

#define SWEEP(from, to, k)                                                                         \
    for (long i = 1; i < n - 1; i++)                                                               \
        for (long j = 1; j < m - 1; j++)                                                           \
            to[i * m + j] =                                                                        \
                (REAL)(0.2 + 0.001 * (k)) * (from[(i - 1) * m + j] + from[(i + 1) * m + j] +       \
                                             from[i * m + j - 1] + from[i * m + j + 1]);
#define FOUR(k) SWEEP(a, b, k) SWEEP(b, a, k + 1) SWEEP(a, b, k + 2) SWEEP(b, a, k + 3)

KERNEL static void many2d(long n, long m, long steps, REAL *a, REAL *b) {
    for (long t = 0; t < steps; t++) {
        FOUR(0) FOUR(4) FOUR(8) FOUR(12) FOUR(16) FOUR(20) FOUR(24) FOUR(28) FOUR(32) FOUR(36)
    }
}

PROGRAM(2, 40 * INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1), many2d(n[0], n[1], steps, b[0], b[1]),
        REALS("a", n[0] * n[1]), REALS("b", n[0] * n[1]))
