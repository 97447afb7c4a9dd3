/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What fortran_copyback2d.f90 is called with. */
#include "harness.h"

void heat(int n, int m, int steps, REAL *x, REAL *y);

#ifdef WHOLE
#define SHARED 2
#else
#define SHARED 1
#endif
#ifdef STRIDED
#define WIDTH ((n[1] + 1) / 2)
#else
#define WIDTH n[1]
#endif

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(WIDTH, 1, 1),
        (share_border(n, 1, sizeof(REAL), SHARED, b),
         heat((int)n[1], (int)n[0], (int)steps, b[0], b[1])),
        REALS("x", n[0] * n[1]), REALS("y", n[0] * n[1]))
