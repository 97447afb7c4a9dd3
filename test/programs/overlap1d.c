/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Both arrays in one allocation, SHIFT elements apart: overlapping when that is less than n; also
 * where they are said not to, with -DRESTRICT=restrict. */
#include "harness.h"

#ifndef SHIFT
#define SHIFT 1
#endif

#ifndef RESTRICT
#define RESTRICT
#endif

KERNEL void smooth(int n, const REAL *RESTRICT in, REAL *RESTRICT out) {
    for (int i = 1; i < n - 1; i++)
        out[i] = (REAL)0.5 * in[i - 1] + (REAL)0.3 * in[i] + (REAL)0.2 * in[i + 1];
}

PROGRAM(1, INSIDE(n[0], 1, 1), smooth(n[0], b[0], (REAL *)b[0] + (SHIFT)),
        REALS("memory", n[0] + (SHIFT)))
