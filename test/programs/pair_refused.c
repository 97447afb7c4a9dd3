/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Two sweeps in a time loop that must not be taken for two time steps of one grid: CASE says why.
 */
#include "harness.h"

#define CELLS for (int i = 1; i < n - 1; i++)
#define PLAIN(to, from) CELLS to[i] = (REAL)0.5 * (from[i - 1] + from[i]) + from[i + 1];

#define CARRIED(to, from, start)                                                                   \
    {                                                                                              \
        REAL old = start;                                                                          \
        CELLS {                                                                                    \
            REAL next = from[i + 1];                                                               \
            to[i] = (REAL)0.5 * (from[i - 1] + old) + next;                                        \
            old = next;                                                                            \
        }                                                                                          \
    }

#if CASE == 1 /* another number */
#define FIRST PLAIN(B, A)
#define SECOND CELLS A[i] = (REAL)0.25 * (B[i - 1] + B[i]) + B[i + 1];
#elif CASE == 2 /* another order of the sum */
#define FIRST PLAIN(B, A)
#define SECOND CELLS A[i] = (REAL)0.5 * B[i - 1] + ((REAL)0.5 * B[i] + B[i + 1]);
#elif CASE == 3 /* another domain */
#define FIRST PLAIN(B, A)
#define SECOND                                                                                     \
    for (int i = 2; i < n - 1; i++)                                                                \
        A[i] = (REAL)0.5 * (B[i - 1] + B[i]) + B[i + 1];
#elif CASE == 4 /* something is done between */
#define FIRST PLAIN(B, A) B[n / 2] = 1;
#define SECOND PLAIN(A, B)
#elif CASE == 5 /* in place */
#define FIRST CELLS B[i] = (REAL)0.5 * (A[i - 1] + A[i]) + B[i + 1];
#define SECOND CELLS A[i] = (REAL)0.5 * (B[i - 1] + B[i]) + A[i + 1];
#elif CASE == 6 /* the second starts with what B held before the first */
#define FIRST                                                                                      \
    REAL held = B[1];                                                                              \
    CARRIED(B, A, A[1])
#define SECOND CARRIED(A, B, held)
#elif CASE == 7 /* the first starts with what A held before the time loop */
#define FIRST CARRIED(B, A, start)
#define SECOND CARRIED(A, B, B[1])
#elif CASE == 8 /* the second uses a value of the first */
#define FIRST                                                                                      \
    REAL last = 0;                                                                                 \
    CELLS {                                                                                        \
        last = A[i];                                                                               \
        B[i] = (REAL)0.5 * (A[i - 1] + last) + A[i + 1];                                           \
    }
#define SECOND CELLS A[i] = (REAL)0.5 * (B[i - 1] + B[i]) + last;
#elif CASE == 9 /* the same time step in both */
#define FIRST CELLS B[i] = (REAL)0.5 * (A[i - 1] + A[i]) + (REAL)t;
#define SECOND CELLS A[i] = (REAL)0.5 * (B[i - 1] + B[i]) + (REAL)t;
#elif CASE == 10 /* one or the other */
#define FIRST                                                                                      \
    if (t % 3)                                                                                     \
    PLAIN(B, A)
#define SECOND else PLAIN(A, B)
#elif CASE == 11 /* the second only sometimes */
#define FIRST PLAIN(B, A)
#define SECOND                                                                                     \
    if (t % 3)                                                                                     \
    PLAIN(A, B)
#elif CASE == 12 /* a third array takes part */
#define FIRST PLAIN(B, A)
#define SECOND PLAIN(C, B)
#elif CASE == 13 /* each writes the array that it does not read, but they are not the same two */
#define FIRST PLAIN(B, A)
#define SECOND PLAIN(A, C)
#elif CASE == 14 /* a sum beside one of them */
#define FIRST PLAIN(B, A)
#define SECOND                                                                                     \
    REAL sum = 0;                                                                                  \
    CELLS {                                                                                        \
        A[i] = (REAL)0.5 * (B[i - 1] + B[i]) + B[i + 1];                                           \
        sum += A[i];                                                                               \
    }                                                                                              \
    C[0] = sum;
#elif CASE == 15 /* a number differs */
#define FIRST CELLS B[i] = (REAL)0.5 * (A[i - 1] + A[i]) + C[0];
#define SECOND CELLS A[i] = (REAL)0.5 * (B[i - 1] + B[i]) + C[1];
#elif CASE == 16 /* it stops when it may */
#define FIRST PLAIN(B, A)
#define SECOND                                                                                     \
    PLAIN(A, B)                                                                                    \
    if (A[n / 2] > 9)                                                                              \
        break;
#endif

KERNEL void pair(int n, int steps, REAL *restrict A, REAL *restrict B, REAL *restrict C) {
    if (n < 3 || steps < 1)
        return;
    REAL start = A[1];
    (void)start, (void)C;
    for (int t = 0; t < steps; t++) {
        FIRST
        SECOND
    }
}

PROGRAM(1, INSIDE(n[0], 1, 1), pair(n[0], steps, (REAL *)b[0] + 1, (REAL *)b[1] + 1, b[2]),
        REALS("A", n[0] + 2), REALS("B", n[0] + 2), REALS("C", n[0] + 2))
