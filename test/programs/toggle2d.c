/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Indices that the time loop carries say which array a step reads and which it writes: one that
 * toggles, with -DXOR and -DNOT in other ways, and -DCHOOSE of two pointers; -DEXCHANGE: two that
 * are exchanged; -DTURN: one that goes round, and -DROTATE: three that rotate; -DSTOP: one that
 * toggles, until no cell changes much. Which array has the last step is told afterwards. */
#include "harness.h"

#if defined TURN || defined ROTATE
#define ARRAYS 3
#else
#define ARRAYS 2
#endif

#define SWEEP(to, from)                                                                            \
    for (int i = 1; i < n - 1; i++)                                                                \
        for (int j = 1; j < m - 1; j++)                                                            \
            to[i][j] = (REAL)0.2 * (from[i][j] + from[i][j - 1] + from[i][j + 1] +                 \
                                    from[i + 1][j] + from[i - 1][j]) OLD(i, j);
#define OLD(i, j)

#if defined CHOOSE
KERNEL int run(int n, int m, int steps, REAL (*a)[m], REAL (*b)[m]) {
    int it = 0;
    for (int t = 0; t < steps; t++) {
        REAL(*in)[m] = it ? b : a, (*out)[m] = it ? a : b;
        SWEEP(out, in)
        it = !it;
    }
    return it;
}
#define RUN run(n[0], n[1], steps, b[0], (void *)((char *)b[0] + n[0] * n[1] * sizeof(REAL)))
#else
KERNEL int run(int n, int m, int steps, REAL u[ARRAYS][n][m]) {
#if defined TURN
    int it = 1;
    for (int t = 0; t < steps; t++) {
        int next = (it + 1) % 3, old = (it + 2) % 3;
#undef OLD
#define OLD(i, j) -u[old][i][j]
        SWEEP(u[next], u[it])
        it = next;
    }
#elif defined ROTATE
    int old = 0, it = 1, next = 2;
    for (int t = 0; t < steps; t++) {
#undef OLD
#define OLD(i, j) -u[old][i][j]
        SWEEP(u[next], u[it])
        int freed = old;
        old = it;
        it = next;
        next = freed;
    }
#elif defined EXCHANGE
    int it = 0, next = 1;
    for (int t = 0; t < steps; t++) {
        SWEEP(u[next], u[it])
        int was = it;
        it = next;
        next = was;
    }
#elif defined XOR
    int it = 0;
    for (int t = 0; t < steps; t++) {
        SWEEP(u[it ^ 1], u[it])
        it ^= 1;
    }
#elif defined STOP
    int it = 0;
    for (int t = 0; t < steps; t++) {
        REAL most = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                REAL new = (REAL)0.25 * (u[it][i][j - 1] + u[it][i][j + 1] + u[it][i + 1][j] + u[it][i - 1][j]);
                REAL by = new > u[it][i][j] ? new - u[it][i][j] : u[it][i][j] - new;
                most = by > most ? by : most;
                u[1 - it][i][j] = new;
            }
        it = 1 - it;
        if (most < (REAL)STOP)
            break;
    }
#elif defined NOT
    int it = 1;
    for (int t = 0; t < steps; t++) {
        SWEEP(u[!it], u[it])
        it = !it;
    }
#else
    int it = 0;
    for (int t = 0; t < steps; t++) {
        SWEEP(u[1 - it], u[it])
        it = 1 - it;
    }
#endif
    return it;
}
#define RUN run(n[0], n[1], steps, b[0])
#endif

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1), *(int *)b[1] = RUN,
        REALS("u", ARRAYS *n[0] * n[1]), INTEGERS("last", int32_t, 1, 0, 9))
