/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Small integers: a rounded average by shift. */
#include "harness.h"

#ifndef TYPE
#define TYPE uint8_t
#endif

KERNEL void smooth(int n, int steps, TYPE A[2][n]) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            A[(t + 1) % 2][i] =
                (TYPE)((A[t % 2][i - 1] + 2 * A[t % 2][i] + A[t % 2][i + 1] + 2) >> 2);
}

PROGRAM(1, INSIDE(n[0], 1, 1), smooth(n[0], steps, b[0]),
        INTEGERS("A", TYPE, 2 * n[0], (TYPE)-1 < 0 ? -100 : 0, 200))
