/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Planes of an array that are computed one from the other. FORM says which: 1 all time steps of one
 * field; 2 of two fields; 3 with edges; 4 with edges, of two fields; 5 plane upon plane;
 * 6 two planes back; 7 each plane also from itself, which is no sweep. */
#include "harness.h"

#ifndef FORM
#define FORM 1
#endif
#define U(t, i, j) u[((long)(t) * n + (i)) * m + (j)]
#define V(t, i, j) v[((long)(t) * n + (i)) * m + (j)]
#define STAR(A)                                                                                    \
    ((REAL)0.6 * A(t, i, j) + (REAL)0.1 * (A(t, i - 1, j) + A(t, i + 1, j)) +                      \
     (REAL)0.09 * (A(t, i, j - 1) + A(t, i, j + 1)))

KERNEL void planes(int n, int m, int steps, REAL *u, REAL *v) {
#if FORM <= 4
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                U(t + 1, i, j) = STAR(U);
#if FORM == 2 || FORM == 4
                V(t + 1, i, j) = STAR(V) + U(t, i + 1, j);
#endif
            }
#if FORM >= 3
        for (int j = 0; j < m && n > 1; j++) {
            U(t + 1, 0, j) = 0;
            U(t + 1, n - 1, j) = U(t + 1, n - 2, j);
        }
        for (int i = 0; i < n && m > 1; i++) {
            U(t + 1, i, 0) = U(t + 1, i, 1) * (REAL)0.5;
            U(t + 1, i, m - 1) = 1;
        }
#endif
    }
#elif FORM == 5
    for (int t = 1; t <= steps; t++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                U(t, i, j) = (U(t, i, j) - V(t, i, j) * U(t - 1, i, j)) * (REAL)0.5;
#elif FORM == 6
    for (int t = 1; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                U(t + 1, i, j) = STAR(U) - (REAL)0.25 * U(t - 1, i, j);
#else
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                U(t + 1, i, j) = STAR(U) + U(t + 1, i - 1, j);
#endif
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        planes((int)n[0], (int)n[1], steps < 8 ? (int)steps : 8, b[0], b[1]),
        REALS("u", 9 * n[0] * n[1]), REALS("v", 9 * n[0] * n[1]))
