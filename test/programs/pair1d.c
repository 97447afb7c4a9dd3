/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Two sweeps a time step, one dimension; neighbours on one side are further away. */
#include "harness.h"

#ifndef RESTRICT
#define RESTRICT
#endif
#ifndef INDEX
#define INDEX int
#endif

KERNEL void jacobi(INDEX n, int steps, REAL *RESTRICT A, REAL *RESTRICT B) {
    for (int t = 1; t <= steps; t++) {
        for (INDEX i = 2; i + 1 < n; i++)
            B[i] = (REAL)0.33333 * (A[i - 2] + A[i - 1] + A[i] + A[i + 1]);
        for (INDEX i = 2; i + 1 < n; i++)
            A[i] = (REAL)0.33333 * (B[i - 2] + B[i - 1] + B[i] + B[i + 1]);
    }
}

PROGRAM(1, INSIDE(n[0], 2, 1), jacobi((INDEX)n[0], steps, b[0], b[1]), REALS("A", n[0]),
        REALS("B", n[0]))
