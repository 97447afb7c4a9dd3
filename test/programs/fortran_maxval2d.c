/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What fortran_maxval2d.f90 is called with. */
#include "harness.h"

void settle(int n, int m, int steps, REAL *a, REAL *b, REAL *c, REAL *out);

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        settle((int)n[1], (int)n[0], (int)steps, b[0], b[1], b[2], b[3]), REALS("a", n[0] * n[1]),
        REALS("b", n[0] * n[1]), REALS("c", n[0] * n[1]), REALS("out", 2))
