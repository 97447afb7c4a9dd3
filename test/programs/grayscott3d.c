/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Gray-Scott in 3-D: two arrays are written in one nest, and swapped. */
#include "harness.h"

#define SIDES(a) (a[c - s] + a[c + s] + a[c - l] + a[c + l] + a[c - 1] + a[c + 1] - 6 * a[c])

KERNEL void react(int n, int m, int l, int steps, REAL *u, REAL *v, REAL *p, REAL *q) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                for (int k = 1; k < l - 1; k++) {
                    int s = m * l, c = i * s + j * l + k;
                    REAL uvv = u[c] * v[c] * v[c];
                    p[c] = u[c] + (REAL)0.11 * SIDES(u) - uvv + (REAL)0.035 * (1 - u[c]);
                    q[c] = v[c] + (REAL)0.06 * SIDES(v) + uvv - (REAL)0.1 * v[c];
                }
        REAL *swap = u;
        u = p;
        p = swap;
        swap = v;
        v = q;
        q = swap;
    }
}

PROGRAM(3, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1) * INSIDE(n[2], 1, 1),
        react(n[0], n[1], n[2], steps, b[0], b[1], b[2], b[3]), REALS("u", n[0] * n[1] * n[2]),
        REALS("v", n[0] * n[1] * n[2]), REALS("p", n[0] * n[1] * n[2]),
        REALS("q", n[0] * n[1] * n[2]))
