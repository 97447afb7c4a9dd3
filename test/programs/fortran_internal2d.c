/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What fortran_internal2d.f90 is called with. */
#include "harness.h"

void run(int n, int m, int steps, REAL *u, REAL *v, REAL *shown);

PROGRAM(2, 2 * INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        run((int)n[1], (int)n[0], (int)steps, b[0], b[1], b[2]), REALS("u", n[0] * n[1]),
        REALS("v", n[0] * n[1]), REALS("shown", 1))
