/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Nests that make each element by itself, called once a step: in place, with one output and with
 * two, by a choice. TOGETHER: in one time loop. */
#include "harness.h"

#ifndef RESTRICT
#define RESTRICT
#endif

#define SWEEP                                                                                      \
    for (int i = 0; i < n; i++)                                                                    \
        for (int j = 0; j < m; j++)

#ifdef TOGETHER
KERNEL void element_wise(int steps, int n, int m, REAL *RESTRICT p, REAL *RESTRICT r,
                         REAL *RESTRICT s, int *RESTRICT k) {
    for (int t = 0; t < steps; t++) {
        SWEEP p[i * m + j] = r[i * m + j] + (REAL)0.5 * p[i * m + j];
        SWEEP r[i * m + j] -= (REAL)0.25 * s[i * m + j] * p[i * m + j];
        SWEEP s[i * m + j] = s[i * m + j] * (REAL)0.75 + p[i * m + j];
        SWEEP k[i * m + j] += 1 + (s[i * m + j] > r[i * m + j]);
    }
}
#else
KERNEL static void update(int n, int m, REAL *RESTRICT p, REAL *RESTRICT r) {
    SWEEP p[i * m + j] = r[i * m + j] + (REAL)0.5 * p[i * m + j];
}

KERNEL static void scale(int n, int m, REAL *r, REAL by) {
    SWEEP r[i * m + j] *= by;
}

KERNEL static void state(int n, int m, REAL *RESTRICT p, REAL *RESTRICT s, const REAL *RESTRICT r) {
    SWEEP {
        REAL v = p[i * m + j] * r[i * m + j];
        p[i * m + j] = v + (REAL)0.125 * s[i * m + j];
        s[i * m + j] = v * v - (REAL)0.0625 * s[i * m + j];
    }
}

KERNEL static void choose(int n, int m, int *RESTRICT k, const REAL *RESTRICT s) {
    SWEEP k[i * m + j] = s[i * m + j] > 1 ? 0 : k[i * m + j] + 3;
}

KERNEL void element_wise(int steps, int n, int m, REAL *p, REAL *r, REAL *s, int *k) {
    for (int t = 0; t < steps; t++) {
        update(n, m, p, r);
        scale(n, m, r, (REAL)0.75);
        state(n, m, p, s, r);
        choose(n, m, k, s);
    }
}
#endif

PROGRAM(2, n[0] * n[1], element_wise(steps, n[0], n[1], b[0], b[1], b[2], b[3]),
        REALS("p", n[0] * n[1]), REALS("r", n[0] * n[1]), REALS("s", n[0] * n[1]),
        INTEGERS("k", int, n[0] * n[1], 0, 100))
