/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What fortran_swap2d.f90 is called with. */
#include "harness.h"

#define CELLS INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1)

#if defined POINTERS || defined FIELDS
void run(int n, int m, int steps, REAL *x, REAL *y);

PROGRAM(2, CELLS, run((int)n[1], (int)n[0], (int)steps, b[0], b[1]), REALS("x", n[0] * n[1]),
        REALS("y", n[0] * n[1]))
#else
void run(int n, int m, int steps, REAL *u);

PROGRAM(2, CELLS, run((int)n[1], (int)n[0], (int)steps, b[0]), REALS("u", 2 * n[0] * n[1]))
#endif
