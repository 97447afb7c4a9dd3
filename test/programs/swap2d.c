/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Pointer swap, linear index of type INDEX, rows `pitch` apart; the caller learns which array is
 * the last. UPWIND: cells read neighbours on two sides only, and not themselves. */
#include "harness.h"

#ifndef RESTRICT
#define RESTRICT
#endif
#ifndef INDEX
#define INDEX int
#endif

KERNEL REAL *heat(INDEX n, INDEX m, INDEX pitch, int steps, REAL *RESTRICT a, REAL *RESTRICT b) {
    for (int t = 0; t < steps; t++) {
        for (INDEX i = 1; i + 1 < n; i++)
            for (INDEX j = 1; j + 1 < m; j++)
#ifdef UPWIND
                b[i * pitch + j] = (REAL)0.6 * a[(i - 1) * pitch + j] + (REAL)0.3 * a[i * pitch + j - 1];
#else
                b[i * pitch + j] = (REAL)0.5 * a[i * pitch + j] +
                                   (REAL)0.15 * (a[(i - 1) * pitch + j] + a[(i + 1) * pitch + j]) +
                                   (REAL)0.1 * (a[i * pitch + j - 1] + a[i * pitch + j + 1]);
#endif
        REAL *swap = a;
        a = b;
        b = swap;
    }
    return a;
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        *(int *)b[2] = heat((INDEX)n[0], (INDEX)n[1], (INDEX)n[1] + 5, steps, b[0], b[1]) == b[0],
        REALS("a", n[0] * (n[1] + 5)), REALS("b", n[0] * (n[1] + 5)),
        INTEGERS("last", int, 1, 0, 1))
