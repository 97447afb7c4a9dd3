/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A time loop with a call between its sweeps: rows of two outputs beside them are sweeps, too. */
#include "harness.h"

static volatile int calls;
__attribute__((noinline)) static void note(int t) {
    calls += t;
}

KERNEL void edges(int n, int m, int steps, REAL *restrict u, REAL *restrict v, REAL *restrict p,
                  REAL *restrict q) {
    for (int t = 0; t < steps && n > 1; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                u[i * m + j] = (REAL)0.25 * (p[i * m + j - 1] + p[(i + 1) * m + j]);
                v[i * m + j] = (REAL)0.25 * (q[i * m + j + 1] - q[(i - 1) * m + j]);
            }
        note(t);
        for (int j = 1; j < m - 1; j++) {
            u[j] = u[m + j - 1] + u[m + j + 1];
            v[j] = v[m + j - 1] - v[m + j + 1];
        }
        note(1);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                p[i * m + j] += u[(i - 1) * m + j];
                q[i * m + j] -= v[(i - 1) * m + j];
            }
    }
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        edges((int)n[0], (int)n[1], (int)steps, b[0], b[1], b[2], b[3]), REALS("u", n[0] * n[1]),
        REALS("v", n[0] * n[1]), REALS("p", n[0] * n[1]), REALS("q", n[0] * n[1]))
