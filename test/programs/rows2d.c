/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tables of rows, T **: the rows of one block, with -DUNEVEN those of a block that lie in another
 * order; -DPARITY reads the tables from one of both, -DLOCALS has a pointer for each row. */
#include "harness.h"

#include <stdlib.h>

#ifdef PARITY
KERNEL void drive(int n, int m, int steps, REAL ***u) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                u[(t + 1) % 2][i][j] =
                    (REAL)0.3 * (u[t % 2][i][j - 1] + u[t % 2][i - 1][j] + u[t % 2][i + 1][j + 1]);
}
#else
KERNEL void drive(int n, int m, int steps, REAL ***u) {
    REAL **a = u[0], **b = u[1];
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
#ifdef LOCALS
            const REAL *up = a[i - 1], *here = a[i], *down = a[i + 1];
            REAL *out = b[i];
            for (int j = 1; j < m - 1; j++)
                out[j] = (REAL)0.2 * (here[j] + here[j - 1] + here[j + 1] + up[j] + down[j]);
#else
            for (int j = 1; j < m - 1; j++)
                b[i][j] =
                    (REAL)0.2 * (a[i][j] + a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]);
#endif
        }
        REAL **was = a;
        a = b;
        b = was;
    }
}
#endif

#ifdef UNEVEN
#define ROW(i) ((i) == 3 ? 2 : (i) == 2 ? 3 : (i))
#else
#define ROW(i) (i)
#endif

static void run(long n, long m, long steps, REAL *a, REAL *b) {
    REAL **u[2] = {calloc((size_t)n, sizeof *u[0]), calloc((size_t)n, sizeof *u[1])};
    for (long i = 0; i < n && u[0] && u[1]; i++) {
        long row = n > 3 ? ROW(i) : i;
        u[0][i] = a + row * m;
        u[1][i] = b + row * m;
    }
    drive((int)n, (int)m, (int)steps, u);
    free(u[0]);
    free(u[1]);
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1), run(n[0], n[1], steps, b[0], b[1]),
        REALS("A", n[0] * n[1]), REALS("B", n[0] * n[1]))
