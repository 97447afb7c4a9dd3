/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Arrays with a frame of cells, rows of different lengths, and loops from a first cell to a last one
 * that both are known at run time. Forms 1 and 2: frames that mirror the cells inside. Form 3: upwind
 * neighbours, clamped at the last cell, and a value by branches. Form 4: mirrored in place. */
#include "harness.h"

#define LEAST(a, b) ((a) < (b) ? (a) : (b))
#define A(j, i) a[(last + 4) * (j) + (i)]
#define B(j, i) b[(last + 4) * (j) + (i)]
#define V(j, i) v[(last + 5) * (j) + (i)]
#define W(j, i) w[(last + 5) * (j) + (i)]

#if FORM == 1
KERNEL void work(int n, int last, int depth, REAL *a, REAL *b, REAL *v, REAL *w) {
    for (int j = 3 - depth; j < n + 3 + depth; j++)
        for (int k = 1; k <= depth; k++)
            A(j, 3 - k) = A(j, 2 + k);
    for (int j = 0; j < n; j++)
        for (int k = 1; k <= depth; k++)
            V(j, last - k) = V(j, last - 1 - 2 * depth + k) * (REAL)0.5;
}
#elif FORM == 2
KERNEL void work(int n, int last, int depth, REAL *a, REAL *b, REAL *v, REAL *w) {
    for (int k = 1; k <= depth; k++)
        for (int j = 0; j < n; j++)
            A(j, last + k) = A(j, last + 1 - k);
}
#elif FORM == 3
KERNEL void work(int first, int last, int rows, REAL *a, REAL *b, REAL *v, REAL *w) {
    for (int j = first; j <= rows; j++)
        for (int i = first; i <= last + 1; i++) {
            int up, donor;
            if (V(j, i) > 0) {
                up = i - 2;
                donor = i - 1;
            } else {
                up = LEAST(i + 1, last + 1);
                donor = i;
            }
            W(j, i) = V(j, i) * (A(j, donor) - A(j, up)) + B(j, i);
        }
    for (int j = first; j <= rows; j++)
        for (int i = first; i <= last; i++) {
            REAL slope = W(j, i + 1) - W(j, i - 1);
            if (slope > 0)
                B(j, i) = 0;
            else
                B(j, i) = slope * A(j, i);
        }
}
#else
KERNEL void work(int n, int last, int depth, REAL *a, REAL *b, REAL *v, REAL *w) {
    for (int j = 0; j < n; j++)
        for (int k = 0; k < last - 1; k++)
            A(j, k) = A(j, last - k) + 1;
}
#endif

#if FORM == 3
#define CALL work(2, (int)n[1] + 1, (int)n[0] + 1, b[0], b[1], b[2], b[3])
#else
#define CALL work((int)n[0], (int)n[1] + 1, (int)steps, b[0], b[1], b[2], b[3])
#endif

PROGRAM(2, n[0] * n[1], CALL, REALS("A", (n[0] + 12) * (n[1] + 9)),
        REALS("B", (n[0] + 12) * (n[1] + 9)), REALS("V", (n[0] + 12) * (n[1] + 9)),
        REALS("W", (n[0] + 12) * (n[1] + 9)))
