/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What fortran_reshaped2d.f90 is called with. */
#include "harness.h"

void grow(int n, int m, int steps, REAL *x);

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1), grow((int)n[1], (int)n[0], (int)steps, b[0]),
        REALS("x", n[0] * n[1]))
