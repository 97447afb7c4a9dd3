/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Static arrays of constant size, whose first cells the compiler keeps in registers from loop to loop and from
 * step to step. CASE says which form. */
#include "harness.h"

#ifndef CASE
#define CASE 1
#endif
enum { N = 137, M = 150 };
static REAL e[N], h[N], s[N], z[N][M], p[N][M], v[N][M];

KERNEL void kept(int steps, const REAL *in) {
    (void)in;
#if CASE < 10
    for (int t = 0; t < steps; t++) {
#if CASE == 1 /* the first cell is set in each step */
        for (int m = 0; m < N - 1; m++) h[m] += (e[m + 1] - e[m]) / 3;
        for (int m = 1; m < N; m++) e[m] += (h[m] - h[m - 1]) * (REAL)0.5;
        e[0] = in[t];
#elif CASE == 2 /* it is never set */
        for (int m = 0; m < N - 1; m++) h[m] += (e[m + 1] - e[m]) / 3;
        for (int m = 1; m < N; m++) e[m] += (h[m] - h[m - 1]) * (REAL)0.5;
#elif CASE == 3 /* another one is */
        for (int m = 1; m < N; m++) e[m] += (h[m - 1] - h[m]) * (REAL)0.5;
        e[5] = 1;
        for (int m = 0; m < N - 1; m++) h[m] += (e[m] - e[m + 1]) / 3;
#elif CASE == 4 /* a neighbour's value and a source */
        for (int m = 0; m < N - 1; m++) h[m] += (e[m + 1] - e[m]) / 3;
        e[0] = e[1];
        for (int m = 1; m < N; m++) e[m] += (h[m] - h[m - 1]) * (REAL)0.5;
        e[50] += s[t];
#elif CASE == 5 /* kept by the program, not by memory: refused */
        REAL was = t ? h[3] : e[0];
        for (int m = 0; m < N - 1; m++) {
            h[m] += (e[m + 1] - was) / 3;
            was = e[m + 1];
        }
        for (int m = 1; m < N; m++) e[m] += (h[m] - h[m - 1]) * (REAL)0.5;
#elif CASE == 6 /* set twice, the last time with something else */
        for (int m = 0; m < N - 1; m++) h[m] += (e[m + 1] - e[m]) / 3;
        e[0] = s[t];
        for (int m = 0; m < N - 1; m++) e[m] += h[m + 1] * (REAL)0.5;
#endif
    }
#elif CASE == 10 /* rows' first cells */
    for (int i = 0; i < N - 1; i++)
        for (int j = 0; j < M - 1; j++)
            z[i + 1][j + 1] = p[i][j] + p[i + 1][j] + p[i + 1][j + 1] + p[i][j + 1];
#elif CASE == 11
    for (int i = 0; i < N - 1; i++)
        for (int j = 0; j < M - 1; j++)
            z[i + 1][j + 1] = ((v[i + 1][j + 1] - v[i][j + 1]) - (v[i + 1][j] - v[i][j])) /
                              (p[i][j] + p[i + 1][j] + p[i + 1][j + 1] + p[i][j + 1]);
#elif CASE == 12 /* two outputs */
    for (int i = 0; i < N - 1; i++)
        for (int j = 0; j < M - 1; j++) {
            z[i + 1][j + 1] = p[i][j] + p[i + 1][j] + p[i + 1][j + 1] + p[i][j + 1];
            v[i][j] = p[i][j] - p[i + 1][j + 1];
        }
#elif CASE == 13 /* of the array written: refused */
    REAL first = p[0][0];
    for (int i = 0; i < N - 1; i++) {
        REAL was = first;
        first = p[i + 1][0];
        for (int j = 0; j < M - 1; j++) {
            p[i][j] = was + p[i][j + 1];
            was = p[i][j];
        }
    }
#elif CASE == 14 /* of the last row, not of this one: refused */
    REAL first = p[3][0];
    for (int i = 0; i < N - 1; i++) {
        REAL was = first;
        first = p[i][0];
        for (int j = 0; j < M - 1; j++) {
            z[i][j] = was + p[i][j + 1];
            was = p[i][j + 1];
        }
    }
#endif
}

PROGRAM(0, (N - 1) * (M - 1), kept((int)steps, s), STATIC_REALS(e), STATIC_REALS(h), STATIC_REALS(s),
        STATIC_REALS(z), STATIC_REALS(p), STATIC_REALS(v))
