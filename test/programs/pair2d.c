/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Two sweeps a time step with a third array, numbers of the caller and one that grows by the sweep;
 * linear index of type INDEX, rows `pitch` apart. With -DLEAP each sweep also reads the cell that
 * it writes. */
#include "harness.h"

#ifndef RESTRICT
#define RESTRICT
#endif
#ifndef INDEX
#define INDEX int
#endif
#ifdef LEAP
#define OLD(array, at) -array[at]
#else
#define OLD(array, at)
#endif

#define SWEEP(to, from, sweep)                                                                     \
    for (INDEX i = 1; i + 2 < n; i++)                                                              \
        for (INDEX j = 2; j + 1 < m; j++)                                                          \
            to[i * pitch + j] =                                                                    \
                near * from[i * pitch + j] +                                                       \
                far * (from[(i - 1) * pitch + j] + from[(i + 2) * pitch + j] +                     \
                       from[i * pitch + j - 2] + from[i * pitch + j + 1]) +                        \
                (REAL)0.01 * source[i * pitch + j] * (REAL)(sweep)OLD(to, i * pitch + j);

KERNEL void drive(INDEX n, INDEX m, INDEX pitch, int steps, REAL near, REAL far, REAL *RESTRICT A,
                  REAL *RESTRICT B, const REAL *RESTRICT source) {
    for (int t = 0; t < steps; t++) {
        SWEEP(B, A, 2 * t)
        SWEEP(A, B, 2 * t + 1)
    }
}

PROGRAM(2, INSIDE(n[0], 1, 2) * INSIDE(n[1], 2, 1),
        drive((INDEX)n[0], (INDEX)n[1], (INDEX)n[1] + 3, steps, (REAL)0.45, (REAL)0.13, b[0], b[1],
              b[2]),
        REALS("A", n[0] * (n[1] + 3)), REALS("B", n[0] * (n[1] + 3)),
        REALS("source", n[0] * (n[1] + 3)))
