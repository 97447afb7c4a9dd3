/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Gray-Scott: two arrays are written in one nest. -DINPLACE: and then the old ones are updated, one
 * from the other's new value. */
#include "harness.h"

KERNEL void react(int n, int m, int steps, REAL *u, REAL *v, REAL *p, REAL *q) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                int c = i * m + j;
                REAL uvv = u[c] * v[c] * v[c];
                p[c] = u[c] + (REAL)0.16 * (u[c - m] + u[c + m] + u[c - 1] + u[c + 1] - 4 * u[c]) -
                       uvv + (REAL)0.035 * (1 - u[c]);
                q[c] = v[c] + (REAL)0.08 * (v[c - m] + v[c + m] + v[c - 1] + v[c + 1] - 4 * v[c]) +
                       uvv - (REAL)0.1 * v[c];
            }
#ifdef INPLACE
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                int c = i * m + j;
                u[c] = p[c] - (REAL)0.01 * v[c];
                v[c] = q[c] + (REAL)0.25 * u[c];
            }
#else
        REAL *swap = u;
        u = p;
        p = swap;
        swap = v;
        v = q;
        q = swap;
#endif
    }
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        react(n[0], n[1], steps, b[0], b[1], b[2], b[3]), REALS("u", n[0] * n[1]),
        REALS("v", n[0] * n[1]), REALS("p", n[0] * n[1]), REALS("q", n[0] * n[1]))
