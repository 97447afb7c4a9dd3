/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tables of rows, T **: the rows of one block, with -DUNEVEN those of a block that lie in another
 * order; -DPARITY reads the tables from one of both, -DLOCALS has a pointer for each row, -DSTRUCTS
 * has the rows' pointers in structs. */
#include "harness.h"

#include <stdlib.h>

#ifdef STRUCTS
/* As a vector of vectors. */
typedef struct row {
    REAL *cells, *end, *room;
} row;
#define CELLS(row) (row).cells
#else
typedef REAL *row;
#define CELLS(row) (row)
#endif

#ifdef PARITY
KERNEL void drive(int n, int m, int steps, row **u) {
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                CELLS(u[(t + 1) % 2][i])
    [j] = (REAL)0.3 *
          (CELLS(u[t % 2][i])[j - 1] + CELLS(u[t % 2][i - 1])[j] + CELLS(u[t % 2][i + 1])[j + 1]);
}
#else
KERNEL void drive(int n, int m, int steps, row **u) {
    row *a = u[0], *b = u[1];
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
#ifdef LOCALS
            const REAL *up = CELLS(a[i - 1]), *here = CELLS(a[i]), *down = CELLS(a[i + 1]);
            REAL *out = CELLS(b[i]);
            for (int j = 1; j < m - 1; j++)
                out[j] = (REAL)0.2 * (here[j] + here[j - 1] + here[j + 1] + up[j] + down[j]);
#else
            for (int j = 1; j < m - 1; j++)
                CELLS(b[i])
            [j] = (REAL)0.2 * (CELLS(a[i])[j] + CELLS(a[i])[j - 1] + CELLS(a[i])[j + 1] +
                               CELLS(a[i - 1])[j] + CELLS(a[i + 1])[j]);
#endif
        }
        row *was = a;
        a = b;
        b = was;
    }
}
#endif

#ifdef UNEVEN
#define ROW(i) ((i) == 3 ? 2 : (i) == 2 ? 3 : (i))
#else
#define ROW(i) (i)
#endif

static void run(long n, long m, long steps, REAL *a, REAL *b) {
    row *u[2] = {calloc((size_t)n, sizeof *u[0]), calloc((size_t)n, sizeof *u[1])};
    for (long i = 0; i < n && u[0] && u[1]; i++) {
        long at = n > 3 ? ROW(i) : i;
        CELLS(u[0][i]) = a + at * m;
        CELLS(u[1][i]) = b + at * m;
    }
    drive((int)n, (int)m, (int)steps, u);
    free(u[0]);
    free(u[1]);
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1), run(n[0], n[1], steps, b[0], b[1]),
        REALS("A", n[0] * n[1]), REALS("B", n[0] * n[1]))
