/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What fortran_colours2d.f90 is called with. */
#include "harness.h"

void relax(int n, int m, int steps, REAL *x, REAL *y);

PROGRAM(2, n[0] < 3 || n[1] < 3 ? 0 : INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        relax((int)n[1], (int)n[0], (int)steps, b[0], b[1]), REALS("x", n[0] * n[1]),
        REALS("y", n[0] * n[1]))
