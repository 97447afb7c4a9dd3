/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Steps of several sweeps with numbers that the CPU computes for each step: a time that grows, and
 * a source of it. LEAVES: the time loop ends by it. MOST: the greatest change of the last step, in
 * a sweep that assigns, or (OWN) in one of its own; the sum of integers likewise. TURNS: an array
 * and its newer values take turns. */
#include "harness.h"

#ifdef LEAVES
#define LOOP for (int t = 0; time < (REAL)0.0625 * steps; t++)
#else
#define LOOP for (int t = 0; t < steps; t++)
#endif

KERNEL void run(int steps, int n, int m, REAL (*a)[m], REAL (*b)[m], REAL *result) {
    REAL time = 0, last = 0, most = 0;
    if (n < 5 || m < 5 || steps < 1)
        return;
    LOOP {
        REAL pulse = time * (1 - time) * (REAL)0.25;
        most = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
#ifdef TURNS
                REAL v = a[i][j] + (REAL)0.2 * (a[i - 1][j] + a[i][j + 1] - 2 * a[i][j]) + pulse;
                b[i][j] = v;
#else
                REAL v = b[i][j] + (REAL)0.2 * (a[i - 1][j] - a[i][j + 1]) * time;
                b[i][j] = v;
#endif
#ifdef MOST
                most = v > most ? v : most;
#endif
            }
#ifdef OWN
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                most = b[i][j] - a[i][j] > most ? b[i][j] - a[i][j] : most;
#endif
#ifdef TURNS
        REAL(*swap)[m] = a;
        a = b;
        b = swap;
#else
#ifndef PLAIN
        b[2][3] += pulse;
#endif
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] = a[i][j] - (REAL)0.3 * (b[i + 1][j] - b[i][j - 1]) + last;
#endif
        last = pulse;
#ifndef PLAIN
        time += (REAL)0.0625;
#endif
    }
    result[0] = most;
    result[1] = time;
}

PROGRAM(2, INSIDE(n[0], 2, 2) * INSIDE(n[1], 2, 2),
        run((int)steps, (int)n[0], (int)n[1], b[0], b[1], b[2]), REALS("a", n[0] * n[1]),
        REALS("b", n[0] * n[1]), REALS("result", 2))
