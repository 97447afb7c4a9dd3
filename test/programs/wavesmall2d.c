/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Small integers: a second-order cellular automaton, the step before the last one undone. */
#include "harness.h"

#ifndef TYPE
#define TYPE uint8_t
#endif

KERNEL void automaton(int n, int m, int steps, TYPE *before, TYPE *now, TYPE *next) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                int around = now[(i - 1) * m + j] + now[(i + 1) * m + j] + now[i * m + j - 1] +
                             now[i * m + j + 1];
                next[i * m + j] = (TYPE)((around >> 1) - before[i * m + j]);
            }
        TYPE *oldest = before;
        before = now;
        now = next;
        next = oldest;
    }
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        (share_border(n, 1, sizeof(TYPE), 3, b), automaton(n[0], n[1], steps, b[0], b[1], b[2])),
        INTEGERS("before", TYPE, n[0] * n[1], (TYPE)-1 < 0 ? -100 : 0, 200),
        INTEGERS("now", TYPE, n[0] * n[1], (TYPE)-1 < 0 ? -100 : 0, 200),
        INTEGERS("next", TYPE, n[0] * n[1], (TYPE)-1 < 0 ? -100 : 0, 200))
