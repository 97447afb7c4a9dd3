/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What fortran_converge2d.f90 is called with. */
#include "harness.h"

void relax(int n, int m, int most_steps, REAL *a, REAL *b, REAL *change, int *steps);

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        relax((int)n[1], (int)n[0], (int)steps, b[0], b[1], b[2], b[3]), REALS("a", n[0] * n[1]),
        REALS("b", n[0] * n[1]), REALS("change", 1), INTEGERS("steps", int, 1, 0, 9))
