/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Two sweeps a time step, one dimension; neighbours on one side are further away. With -DCARRIED
 * the program itself carries a value from one iteration to the next; with -DSHIFT=N the second
 * array starts N elements behind the first. */
#include "harness.h"

#ifndef RESTRICT
#define RESTRICT
#endif
#ifndef INDEX
#define INDEX int
#endif

#ifdef CARRIED
#define SWEEP(to, from)                                                                            \
    {                                                                                              \
        REAL here = from[2];                                                                       \
        for (INDEX i = 2; i + 1 < n; i++) {                                                        \
            REAL next = from[i + 1];                                                               \
            to[i] = (REAL)0.33333 * (from[i - 2] + from[i - 1] + here + next);                     \
            here = next;                                                                           \
        }                                                                                          \
    }
#else
#define SWEEP(to, from)                                                                            \
    for (INDEX i = 2; i + 1 < n; i++)                                                              \
        to[i] = (REAL)0.33333 * (from[i - 2] + from[i - 1] + from[i] + from[i + 1]);
#endif

KERNEL void jacobi(INDEX n, int steps, REAL *RESTRICT A, REAL *RESTRICT B) {
    if (n < 3)
        return;
    for (int t = 1; t <= steps; t++) {
        SWEEP(B, A)
        SWEEP(A, B)
    }
}

#ifdef SHIFT
PROGRAM(1, INSIDE(n[0], 2, 1), jacobi((INDEX)n[0], steps, b[0], (REAL *)b[0] + (SHIFT)),
        REALS("A", n[0] + (SHIFT)))
#else
PROGRAM(1, INSIDE(n[0], 2, 1), jacobi((INDEX)n[0], steps, b[0], b[1]), REALS("A", n[0]),
        REALS("B", n[0]))
#endif
