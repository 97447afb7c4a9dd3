/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Cells of one colour of two in place (red-black Gauss-Seidel). FORM: 1 a loop over colours;
 * 2 two nests; 3 neighbours of the other colour far away, one colour alone; 4 a neighbour of the same
 * colour, which depends on the order; 5 an array that may be the same; 6 two nests, int
 * indices; 18 a flag tells where a row begins, and is a number in the cells; 19 to 23 beside sweeps over all
 * cells and edges: 19 edges in front, the greatest residual ends the loop; 20 edges behind each colour; 21 the
 * greatest change of both colours, rows to the last cell; 22 colours that change places with the steps, and the
 * right-hand side; 23 the sum of residuals, of conditions; 24 to 26 cells of the other colour read a neighbour
 * that the sweep writes: 24 for another array, 25 for the greatest value, 26 each of two arrays the other one; 28, 29 where a row begins takes
 * turns with the cell beside it. */
#include "harness.h"
#include <stdbool.h>

#ifndef FORM
#define FORM 1
#endif
#if FORM == 6
#define AT(a, i, j) a[(i) * m + (j)]
#else
#define AT(a, i, j) a[(long)(i) * m + (j)]
#endif
#define MEAN(i, j)                                                                                 \
    ((REAL)0.25 * (AT(u, i - 1, j) + AT(u, i + 1, j) + AT(u, i, j - 1) + AT(u, i, j + 1) - AT(f, i, j)))
#ifdef _OPENMP
#define ROWS(first, last) _Pragma("omp parallel for") for (int i = first; i < n - last; i++)
#else
#define ROWS(first, last) for (int i = first; i < n - last; i++)
#endif

/* What the cells beside the edges have. */
#define EDGES                                                                                      \
    for (int i = 1; i < n - 1; i++) {                                                              \
        AT(u, i, 0) = AT(u, i, 1);                                                                 \
        AT(u, i, m - 1) = AT(u, i, m - 2);                                                         \
    }                                                                                              \
    for (int j = 0; j < m; j++) {                                                                  \
        AT(u, 0, j) = AT(u, 1, j);                                                                 \
        AT(u, n - 1, j) = AT(u, n - 2, j);                                                         \
    }

#if FORM == 5 || FORM == 7 || FORM == 10
#define APART
#else
#define APART restrict
#endif

#if FORM == 11 || FORM == 12
#ifndef ARRAYS
#define ARRAYS REAL *u, const REAL *f
#endif
KERNEL void relax(int n, int m, ARRAYS) {
#if FORM == 11
    for (int colour = 0; colour < 2; colour++)
        ROWS(1, 1) for (int j = 1 + (i + colour) % 2; j < m - 1; j += 2) AT(u, i, j) = MEAN(i, j);
#else
    ROWS(1, 1) for (int j = 1 + (i & 1); j < m - 1; j += 2) AT(u, i, j) = MEAN(i, j);
#endif
}
#endif

KERNEL void redblack2d(int n, int m, int steps, REAL *APART u, REAL *APART f) {
    for (int t = 0; t < steps; t++) {
#if FORM == 1
        for (int colour = 0; colour < 2; colour++)
            ROWS(1, 1) for (int j = 1 + (i + colour) % 2; j < m - 1; j += 2) AT(u, i, j) = MEAN(i, j);
#elif FORM == 2 || FORM == 6
        ROWS(1, 1) for (int j = 1 + (i & 1); j < m - 1; j += 2) AT(u, i, j) += (REAL)0.5 * (MEAN(i, j) - AT(u, i, j));
        ROWS(1, 1) for (int j = 2 - (i & 1); j < m - 1; j += 2) AT(u, i, j) += (REAL)0.5 * (MEAN(i, j) - AT(u, i, j));
#elif FORM == 3
        ROWS(2, 2) for (int j = 3 - (i & 1); j < m - 3; j += 2)
            AT(u, i, j) = (REAL)0.5 * AT(u, i - 2, j + 1) + (REAL)0.25 * AT(u, i + 1, j - 2) - AT(f, i, j - 1);
#elif FORM == 4
        ROWS(1, 1) for (int j = 1 + (i & 1); j < m - 1; j += 2) AT(u, i, j) = MEAN(i, j) + (REAL)0.125 * AT(u, i - 1, j - 1);
#elif FORM == 7 || FORM == 10
        for (int colour = 0; colour < 2; colour++)
            ROWS(1, 1) for (int j = 1; j < m - 1; j++) if ((i + j) % 2 == colour) AT(u, i, j) = MEAN(i, j);
#elif FORM == 8
        ROWS(1, 1) for (int j = 1; j < m - 1; j++) {
            if ((i + j) & 1)
                continue;
            AT(u, i, j) += (REAL)0.5 * (MEAN(i, j) - AT(u, i, j));
        }
        ROWS(1, 1) for (int j = 1; j < m - 1; j++) if ((i - j) & 1) AT(u, i, j) = MEAN(i, j);
#elif FORM == 9
        ROWS(1, 1) for (int j = 1; j < m - 1; j++) if ((i + j) % 2 == 0) AT(u, i, j) = MEAN(i, j) + (REAL)0.125 * AT(u, i - 1, j - 1);
#elif FORM == 11 || FORM == 12
        relax(n, m, u, f);
#elif FORM == 15 || FORM == 16
        REAL change = 0;
        for (int colour = 0; colour < 2; colour++)
            ROWS(1, 1) for (int j = 1 + (i + colour) % 2; j < m - 1; j += 2) {
                REAL by = MEAN(i, j) - AT(u, i, j), size = by < 0 ? -by : by;
                AT(u, i, j) += (REAL)0.75 * by;
                change = FORM == 16 ? change + size : size > change ? size : change;
            }
        if (change < (REAL)0.25) {
            f[0] = change;
            break;
        }
#elif FORM == 17
        ROWS(0, 0) for (int j = 0; j < m; j++) AT(f, i, j) *= (REAL)0.5;
        ROWS(1, 1) for (int j = 1 + (i & 1); j < m - 1; j += 2) AT(u, i, j) = MEAN(i, j);
#elif FORM == 13
        for (int colour = 0; colour < 2; colour++) {
            ROWS(0, 0) for (int j = 0; j < m; j++) AT(f, i, j) = (REAL)0.5 * AT(f, i, j) + (REAL)0.125 * AT(u, i, j);
            ROWS(1, 1) for (int j = 1 + (i + colour) % 2; j < m - 1; j += 2) AT(u, i, j) = MEAN(i, j);
        }
#elif FORM == 14
        for (int colour = 0; colour < 2; colour++)
            ROWS(1, 1) for (int j = 1 + (i + colour) % 2; j < m - 1; j += 2) AT(u, i, j) = MEAN(i, j);
        ROWS(1, 1) for (int j = 1; j < m - 1; j++) AT(f, i, j) = AT(u, i, j + 1) - AT(u, i - 1, j);
#elif FORM == 18
        bool odd = false;
        ROWS(1, 1) {
            for (int j = 1 + odd; j < m - 1; j += 2)
                AT(u, i, j) = MEAN(i, j) * (REAL)(i - odd) - (REAL)(3 * odd);
            odd = !odd;
        }
#elif FORM == 5
        ROWS(1, 1) for (int j = 1 + (i & 1); j < m - 1; j += 2) AT(u, i, j) = MEAN(i, j);
#elif FORM == 19
        REAL most = 0;
        EDGES
        ROWS(1, 1) for (int j = 1 + (i & 1); j < m - 1; j += 2) AT(u, i, j) = MEAN(i, j);
        ROWS(1, 1) for (int j = 2 - (i & 1); j < m - 1; j += 2) AT(u, i, j) = MEAN(i, j);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                REAL by = MEAN(i, j) - AT(u, i, j), size = by < 0 ? -by : by;
                most = size > most ? size : most;
            }
        if (most < (REAL)0.125)
            break;
#elif FORM == 20
        for (int colour = 0; colour < 2; colour++) {
            ROWS(1, 1) for (int j = 1 + (i + colour) % 2; j < m - 1; j += 2) AT(u, i, j) = MEAN(i, j);
            EDGES
        }
#elif FORM == 21
        REAL change = 0;
        EDGES
        for (int colour = 0; colour < 2; colour++)
            for (int i = 1; i <= n - 2; i++)
                for (int j = 1 + (i + colour) % 2; j <= m - 2; j += 2) {
                    REAL by = MEAN(i, j) - AT(u, i, j), size = by < 0 ? -by : by;
                    AT(u, i, j) += (REAL)0.75 * by;
                    change = size > change ? size : change;
                }
        if (change < (REAL)0.25) {
            f[0] = change;
            break;
        }
#elif FORM == 22
        for (int colour = 0; colour < 2; colour++)
            ROWS(1, 1) for (int j = 1; j < m - 1; j++) if (((i + j + t) & 1) == colour) AT(u, i, j) = MEAN(i, j);
        ROWS(0, 0) for (int j = 0; j < m; j++) AT(f, i, j) = (REAL)0.5 * AT(f, i, j) + (REAL)0.25 * AT(u, i, j);
#elif FORM == 23
        REAL sum = 0;
        for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) if ((i + j) % 2 == 0) AT(u, i, j) = MEAN(i, j);
        for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) if ((i + j) % 2 == 1) AT(u, i, j) = MEAN(i, j);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                REAL by = MEAN(i, j) - AT(u, i, j);
                sum += by * by;
            }
        if (sum < (REAL)0.5)
            break;
#elif FORM == 24
        for (int colour = 0; colour < 2; colour++)
            ROWS(1, 1) for (int j = 1; j < m - 1; j++) {
                REAL sides = AT(u, i, j - 1) + AT(u, i, j + 1);
                if ((i + j) % 2 == colour)
                    AT(u, i, j) = (REAL)0.5 * sides;
                AT(f, i, j) += sides;
            }
#elif FORM == 25
        REAL most = 0;
        for (int colour = 0; colour < 2; colour++)
            ROWS(1, 1) for (int j = 1; j < m - 1; j++) {
                REAL sides = AT(u, i, j - 1) + AT(u, i, j + 1);
                most = sides > most ? sides : most;
                if ((i + j) % 2 == colour)
                    AT(u, i, j) = (REAL)0.5 * sides;
            }
        f[0] = most;
        if (most < (REAL)0.125)
            break;
#elif FORM == 26
        ROWS(1, 1) for (int j = 1; j < m - 1; j++) {
            if ((i + j) % 2 == 0)
                AT(u, i, j) = MEAN(i, j) + AT(f, i, j - 1);
            if ((i + j) % 2 != 0)
                AT(f, i, j) = MEAN(i, j) - AT(f, i, j + 1);
        }
#elif FORM == 27 /* behind a nest that one thread makes; reads in front of a row are of the row before it */
        ROWS(0, 0) for (int j = 1; j < m; j++) AT(u, i, j) += AT(u, i, j - 1) / 2;
        ROWS(2, 2) for (int j = 1; j < m - 1; j++) {
            if ((i ^ j) & 1)
                AT(u, i, j) = (REAL)0.25 * AT(u, i, j - 3);
        }
#elif FORM == 28 /* where a row begins takes turns, from row to row and from colour to colour */
        int first = 1;
        for (int colour = 0; colour < 2; colour++) {
            int at = first;
            for (int i = 1; i < n - 1; i++) {
                for (int j = at; j < m - 1; j += 2) AT(u, i, j) = MEAN(i, j);
                at = 3 - at;
            }
            first = 3 - first;
        }
        EDGES
#elif FORM == 29
        REAL sum = 0;
        int at = 2;
        for (int i = 1; i < n - 1; i++, at ^= 3)
            for (int j = at; j < m - 1; j += 2) AT(u, i, j) = MEAN(i, j);
        at = 1;
        for (int i = 1; i < n - 1; i++, at = 3 - at)
            for (int j = at; j < m - 1; j += 2) AT(u, i, j) = MEAN(i, j);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                REAL by = MEAN(i, j) - AT(u, i, j);
                sum += by * by;
            }
        if (sum < (REAL)0.001)
            break;
#endif
    }
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        redblack2d((int)n[0], (int)n[1], (int)steps, b[0], FORM == 10 ? b[0] + 1 : b[1]), REALS("u", n[0] * n[1] + 1), REALS("f", n[0] * n[1]))
