/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What fortran_outputs2d.f90 is called with. */
#include "harness.h"

void water(int n, int m, REAL *x, REAL *y, REAL *u, REAL *v, REAL *h, REAL *z);

#define CELLS n[0] * n[1]

PROGRAM(2, INSIDE(n[0], 0, 1) * INSIDE(n[1], 0, 1),
        water((int)n[1], (int)n[0], b[0], b[1], b[2], b[3], b[4], b[5]), REALS("x", CELLS),
        REALS("y", CELLS), REALS("u", CELLS), REALS("v", CELLS), REALS("h", CELLS),
        REALS("z", CELLS))
