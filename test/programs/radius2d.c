/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loops over neighbours that make as many iterations as a number says which the function is given.
 * FORM: 1 a star with coefficients, pointers exchanged; 2 from -R to R, copied back; 3 a box with a mask of
 * K x K weights, one sweep; 4 a wave of high order in place of the older step; 5 the number is in a struct;
 * 6 the greatest of a diamond with columns clamped, 7 the least, one sweep. */
#include "harness.h"

#ifndef FORM
#define FORM 1
#endif
#ifndef INDEX
#define INDEX int
#endif
#define AT(i, j) [(i) * (long)m + (j)]
#define EACH                                                                                       \
    for (INDEX i = R; i < n - R; i++)                                                              \
        for (INDEX j = R; j < m - R; j++)

#if FORM == 5
struct plate {
    INDEX n, m, R;
    REAL *a, *b;
};
KERNEL static void steps_of(struct plate *p, int steps, const REAL *c) {
    for (int t = 0; t < steps; t++) {
        for (INDEX i = p->R; i < p->n - p->R; i++)
            for (INDEX j = p->R; j < p->m - p->R; j++) {
                REAL sum = c[0] * p->a[i * p->m + j];
                for (INDEX r = 1; r <= p->R; r++)
                    sum += c[r] * (p->a[i * p->m + j - r] + p->a[(i + r) * p->m + j]);
                p->b[i * p->m + j] = sum;
            }
        REAL *was = p->a;
        p->a = p->b;
        p->b = was;
    }
}
#endif

KERNEL void filter(INDEX n, INDEX m, int steps, INDEX K, REAL *a, REAL *b, const REAL *c) {
    INDEX R = FORM == 3 ? K / 2 : K;
    if (R < 0 || n < 2 * R || m < 2 * R)
        return;
#if FORM == 5
    struct plate p = {n, m, R, a, b};
    steps_of(&p, steps, c);
#elif FORM == 3
    (void)steps;
    EACH {
        REAL sum = 0;
        for (INDEX x = 0; x < K; x++)
            for (INDEX y = 0; y < K; y++)
                sum += c[x * K + y] * a AT(i + x - R, j + y - R);
        b AT(i, j) = sum;
    }
#elif FORM >= 6
    (void)steps, (void)c;
    for (INDEX i = R; i < n - R; i++)
        for (INDEX j = 0; j < m; j++) {
            REAL most = FORM == 6 ? -1000 : 1000;
            for (INDEX l = -R; l <= R; l++) {
                INDEX wide = R - (l < 0 ? -l : l);
                for (INDEX k = -wide; k <= wide; k++) {
                    INDEX x = j + k < 0 ? 0 : j + k >= m ? m - 1 : j + k;
                    REAL v = a AT(i + l, x);
                    most = (FORM == 6 ? v > most : v < most) ? v : most;
                }
            }
            b AT(i - R, j) = most;
        }
#else
    for (int t = 0; t < steps; t++) {
        EACH {
#if FORM == 2
            REAL sum = 0;
            for (INDEX r = -R; r <= R; r++)
                sum += c[r + R] * (a AT(i + r, j) + a AT(i, j + r));
            b AT(i, j) = sum;
#else
            REAL sum = c[0] * a AT(i, j);
            for (INDEX r = 1; r <= R; r++)
                sum += c[r] * (a AT(i - r, j) + a AT(i + r, j) + a AT(i, j - r) + a AT(i, j + r));
            b AT(i, j) = FORM == 4 ? 2 * a AT(i, j) - b AT(i, j) + (REAL)0.1 * sum : sum;
#endif
        }
#if FORM == 2
        EACH a AT(i, j) = b AT(i, j);
#else
        REAL *was = a;
        a = b;
        b = was;
#endif
    }
#endif
}

#ifndef RADIUS
#define RADIUS 2
#endif
PROGRAM(2, INSIDE(n[0], 2 * (RADIUS), 0) * INSIDE(n[1], 2 * (RADIUS), 0),
        filter((INDEX)n[0], (INDEX)n[1], (int)steps, (INDEX)(RADIUS), b[0], b[1], b[2]),
        REALS("a", n[0] * n[1]), REALS("b", n[0] * n[1]), REALS("c", 130))
