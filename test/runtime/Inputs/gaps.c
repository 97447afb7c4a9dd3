/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sweeps of the inner cells of planes whose rows are longer than a page, then looks at single cells,
 * also in the rows between two planes that no sweep writes.
 */
#include <stdio.h>
#include <stdlib.h>

#ifndef REAL
#define REAL float
#endif

enum { PLANES = 12, ROWS = 20, CELLS = 2203 };
typedef REAL plane[ROWS][CELLS];

__attribute__((noinline)) void smooth(plane *restrict to, plane *restrict from) {
    for (int i = 1; i < PLANES - 1; i++)
        for (int j = 1; j < ROWS - 1; j++)
            for (int k = 1; k < CELLS - 1; k++)
                to[i][j][k] = from[i][j][k] * (REAL)0.5 + from[i - 1][j][k] + from[i + 1][j][k] -
                              from[i][j - 1][k] * (REAL)0.25 + from[i][j][k + 1];
}

static void fill(plane *a, unsigned seed) {
    for (size_t n = 0; n < PLANES * ROWS * CELLS; n++)
        (&a[0][0][0])[n] = (REAL)((seed = seed * 1664525 + 1013904223) >> 8) / 65536;
}

int main(void) {
    plane *a = malloc(sizeof(plane) * PLANES), *b = malloc(sizeof(plane) * PLANES);
    unsigned state = 5;
    double sum = 0;
    fill(a, 1);
    fill(b, 2);
    for (int round = 0; round < 60; round++) {
        smooth(b, a);
        smooth(a, b);
        for (int n = 0; n < 1 + round % 4; n++) {
            state = state * 1664525 + 1013904223;
            plane *p = state >> 30 & 1 ? a : b;
            int i = (int)(state >> 8) % PLANES, j = (int)(state >> 14) % ROWS;
            int k = (int)(state >> 20) % CELLS;
            sum = sum / 2 + p[i][j][k];
            if (state >> 29 & 1)
                p[i][j][k] = (REAL)round;
        }
        printf("%.9g\n", sum);
    }
    for (size_t n = 0; n < PLANES * ROWS * CELLS; n++)
        sum = sum / 2 + (&a[0][0][0])[n] - (&b[0][0][0])[n];
    printf("%.9g\n", sum);
}
