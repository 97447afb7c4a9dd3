/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What fortran_expression2d.f90 is called with. */
#include "harness.h"

void evolve(int n, int m, int steps, REAL *a, REAL *before);

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        evolve((int)n[1], (int)n[0], (int)steps, b[0], b[1]), REALS("a", n[0] * n[1]),
        REALS("before", n[0] * n[1]))
