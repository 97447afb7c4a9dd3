/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Fields of two buffers each, whose cells that no step writes differ. The second sweep reads such
 * cells of what the first one wrote; its domain is smaller. EDGE: a row is set between both. FIRST:
 * before both. ROUND: along x indices come round. POINT: a source at a place. */
#include "harness.h"

#ifdef ROUND
#define ROW for (int j = 0; j < m; j++)
#define WEST (j > 0 ? j - 1 : m - 1)
#define EAST (j < m - 1 ? j + 1 : 0)
#else
#define ROW for (int j = 1; j < m - 1; j++)
#define WEST (j - 1)
#define EAST (j + 1)
#endif
#define AT(a, i, j) a[(long)(i) * m + (j)]

KERNEL void run(int n, int m, int steps, REAL a, int i0, int j0, REAL *restrict u, REAL *restrict v,
                REAL *restrict p, REAL *restrict q) {
    for (int t = 0; t < steps; t++) {
#ifdef FIRST
        for (int j = 1; j < m - 1; j++)
            AT(p, 0, j) = a * AT(u, 1, j);
#endif
        for (int i = 1; i < n - 1; i++)
            ROW AT(p, i, j) =
                AT(u, i, j) +
                a * (AT(u, i, WEST) + AT(u, i, EAST) + AT(u, i - 1, j) + AT(u, i + 1, j)) -
                AT(v, i, j);
#ifdef EDGE
        for (int j = 1; j < m - 1; j++)
            AT(p, 0, j) = a * AT(p, 1, j);
#endif
#ifdef POINT
        AT(p, i0, j0) += a;
#endif
        for (int i = 2; i < n - 1; i++)
            ROW AT(q, i, j) =
                a * AT(v, i, j) + a * (AT(p, i - 2, j) - AT(p, i + 1, EAST)) + AT(v, i - 1, WEST);
        REAL *swap = u;
        u = p;
        p = swap;
        swap = v;
        v = q;
        q = swap;
    }
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        run(n[0], n[1], steps, (REAL)0.24, n[0] / 2, n[1] / 3, b[0], b[1], b[2], b[3]),
        REALS("u", n[0] * n[1]), REALS("v", n[0] * n[1]), REALS("p", n[0] * n[1]),
        REALS("q", n[0] * n[1]))
