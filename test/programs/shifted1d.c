/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How far away a neighbour is, is read from memory in every iteration: from a number apart or, with
 * -DWITHIN, from a cell that the sweep itself writes. */
#include "harness.h"

KERNEL void sweep(int n, int32_t *to, const int32_t *from, const int32_t *shift) {
    for (int i = 1; i < n - 2; i++)
        to[i] = (from[i - 1] + from[i] + from[i + *shift]) & 1;
}

#ifdef WITHIN
#define SHIFT(n) (int32_t *)b[0] + (n) / 2
#else
#define SHIFT(n) (int32_t *)b[2]
#endif

PROGRAM(1, INSIDE(n[0], 1, 2),
        for (long t = 0; t < steps; t++) sweep((int)n[0], b[0], b[1], SHIFT(n[0])),
        INTEGERS("to", int32_t, n[0], 0, 2), INTEGERS("from", int32_t, n[0], 0, 2),
        INTEGERS("shift", int32_t, 1, 0, 2))
