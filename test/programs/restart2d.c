/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How far apart rows are is an argument in the first step, and read from memory after it: from a
 * number that is the same, or, with -DOTHER, another one. */
#include "harness.h"

KERNEL int restart2d(int n, int m, int steps, int width, const int *now, int *a, int *b) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i * width + j] = (a[(i - 1) * width + j] + 3 * a[i * width + j + 1]) & 255;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i * width + j] = b[i * width + j];
        width = *now;
    }
    return width;
}

#ifdef OTHER
#define LESS 1
#else
#define LESS 0
#endif

static void run(const long *n, long steps, void *const *b) {
    int *now = b[2], *last = b[3];
    *now = (int)n[1] - LESS;
    *last = restart2d((int)n[0], (int)n[1] - LESS, (int)steps, (int)n[1], now, b[0], b[1]);
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1 + LESS), run(n, steps, b),
        INTEGERS("a", int, n[0] * n[1], 0, 256), INTEGERS("b", int, n[0] * n[1], 0, 256),
        INTEGERS("now", int, 1, 0, 2), INTEGERS("last", int, 1, 0, 2))
