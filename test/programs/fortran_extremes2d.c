/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What fortran_extremes2d.f90 is called with. */
#include "harness.h"

void extremes(int n, int m, REAL *a, REAL *b, REAL *found);

#define CELLS n[0] * n[1]

PROGRAM(2, CELLS, extremes((int)n[1], (int)n[0], b[0], b[1], b[2]), REALS("a", CELLS),
        REALS("b", CELLS), REALS("found", 4))
