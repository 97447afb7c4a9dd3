/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* By how much rows end earlier is read from memory for each row: from a number apart, which is only
 * there if there are rows, or, with -DWITHIN, from a cell that the sweeps themselves write. */
#include "harness.h"

KERNEL void sweeps(int n, int m, int steps, int32_t *to, int32_t *from, const int32_t *less) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 2 - *less; j++)
                to[i * m + j] = (from[i * m + j - 1] + from[(i + 1) * m + j + 1]) & 1;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 2 - *less; j++)
                from[i * m + j] = (to[(i - 1) * m + j] + to[i * m + j]) & 1;
    }
}

#ifdef WITHIN
#define LESS ((int32_t *)b[0] + n[0] * n[1] / 2)
#else
#define LESS (n[0] > 2 ? (int32_t *)b[2] : (int32_t *)0)
#endif

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 4),
        sweeps((int)n[0], (int)n[1], (int)steps, b[0], b[1], LESS),
        INTEGERS("to", int32_t, n[0] * n[1], 0, 2), INTEGERS("from", int32_t, n[0] * n[1], 0, 2),
        INTEGERS("less", int32_t, 1, 0, 2))
