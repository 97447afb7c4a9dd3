/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Pointer swap of two arrays, one dimension. */
#include "harness.h"

#ifndef RESTRICT
#define RESTRICT
#endif
#ifndef INDEX
#define INDEX int
#endif

KERNEL void smooth(INDEX n, int steps, REAL *RESTRICT a, REAL *RESTRICT b) {
    for (int t = 0; t < steps; t++) {
        for (INDEX i = 2; i < n - 1; i++)
            b[i] = (REAL)0.3 * a[i - 2] + (REAL)0.25 * a[i - 1] + (REAL)0.2 * a[i] +
                   (REAL)0.25 * a[i + 1];
        REAL *swap = a;
        a = b;
        b = swap;
    }
}

PROGRAM(1, INSIDE(n[0], 2, 1), smooth((INDEX)n[0], steps, b[0], b[1]), REALS("a", n[0]),
        REALS("b", n[0]))
