/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Arrays of four dimensions, of which the first are components or members of an ensemble: the loops
 * over these run a sweep of three dimensions again and again. FORM 1: two arrays exchanged; 2: a
 * copy back, and two dimensions more; 3: neighbours also along the fourth dimension. */
#include "harness.h"

#ifndef FORM
#define FORM 1
#endif

#define AT(c, k, j, i) ((((c) * nz + (k)) * ny + (j)) * nx + (i))
#define CELLS                                                                                      \
    for (long k = 1; k < nz - 1; k++)                                                            \
        for (long j = 1; j < ny - 1; j++)                                                        \
            for (long i = 1; i < nx - 1; i++)

KERNEL void members4d(const long *n, long steps, REAL *a, REAL *b) {
    const long nz = n[0], ny = n[1], nx = n[2];
    for (long t = 0; t < steps; t++) {
#if FORM == 1
        for (int c = 0; c < 3; c++)
            CELLS b[AT(c, k, j, i)] =
                a[AT(c, k, j, i)] + (REAL)0.125 * (a[AT(c, k - 1, j, i)] - a[AT(c, k, j, i + 1)]);
        REAL *was = a;
        a = b;
        b = was;
#elif FORM == 2
        for (int e = 0; e < 2; e++)
            for (int c = 0; c < 2; c++)
                CELLS b[AT(2 * e + c, k, j, i)] =
                    (REAL)0.5 * (a[AT(2 * e + c, k, j - 1, i)] + a[AT(2 * e + c, k + 1, j, i)]);
        for (int c = 0; c < 4; c++)
            CELLS a[AT(c, k, j, i)] = b[AT(c, k, j, i)];
#else
        for (int c = 1; c < 3; c++)
            CELLS b[AT(c, k, j, i)] = (REAL)0.25 * (a[AT(c - 1, k, j, i)] + a[AT(c + 1, k, j, i)] -
                                                    a[AT(c, k, j + 1, i)]);
        for (int c = 1; c < 3; c++)
            CELLS a[AT(c, k, j, i)] = b[AT(c, k, j, i)];
#endif
    }
}

PROGRAM(3, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1) * INSIDE(n[2], 1, 1),
        members4d(n, steps, b[0], b[1]), REALS("A", 4 * n[0] * n[1] * n[2]),
        REALS("B", 4 * n[0] * n[1] * n[2]))
