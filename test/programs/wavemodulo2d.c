/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The wave equation in one array of three time levels, u[t % 3]. The first step's number is the
 * caller's, or the constant FROM. With -DCARRIED the three levels' numbers are variables of the
 * time loop. */
#include "harness.h"

#ifndef COUNTER
#define COUNTER int
#endif
#ifdef FROM
#define first FROM
#endif

#define UPDATE(next, now, before)                                                                  \
    for (int i = 1; i < n - 1; i++)                                                                \
        for (int j = 1; j < m - 1; j++)                                                            \
    u[next][i][j] = 2 * u[now][i][j] - u[before][i][j] +                                           \
                    (REAL)0.2 * (u[now][i - 1][j] + u[now][i + 1][j] + u[now][i][j - 1] +          \
                                 u[now][i][j + 1] - 4 * u[now][i][j])

KERNEL void wave(int n, int m, COUNTER start, COUNTER end, REAL u[3][n][m]) {
    (void)start;
#ifndef FROM
    COUNTER first = start;
#endif
#ifdef CARRIED
    for (COUNTER t = first, a = t % 3, b = (t + 2) % 3, c = (t + 1) % 3; t < end;
         t++, a = t % 3, b = (t + 2) % 3, c = (t + 1) % 3)
        UPDATE(c, a, b);
#else
    for (COUNTER t = first; t < end; t++)
        UPDATE((t + 2) % 3, (t + 1) % 3, t % 3);
#endif
}

/* A first step that the sizes decide. */
#ifdef FROM
#define START FROM
#else
#define START (int)(n[0] % 4)
#endif
#define LEVEL(k) (char *)b[0] + (k) * n[0] * n[1] * (long)sizeof(REAL)
PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        (share_border(n, 1, sizeof(REAL), 3, (void *[]){LEVEL(0), LEVEL(1), LEVEL(2)}),
         wave(n[0], n[1], START, START + (COUNTER)steps, b[0])),
        REALS("u", 3 * n[0] * n[1]))
