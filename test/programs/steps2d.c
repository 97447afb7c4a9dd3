/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Arrays whose elements are so many others apart as the caller says, mostly one: NumPy's, or a
 * section of another array. COLUMN: what is said. COPIED: the result is copied back in a time loop,
 * else it is a sweep a call. */
#include "harness.h"

#ifndef COLUMN
#define COLUMN 1
#endif

struct view {
    REAL *cells;
    long row, column;
};

#ifdef COPIED
#define FINISH                                                                                     \
    for (long i = 1; i < n - 1; i++)                                                               \
        for (long j = 1; j < m - 1; j++)                                                           \
    AT(from, i, j) = AT(to, i, j)
#else
#define FINISH                                                                                     \
    REAL *cells = from->cells;                                                                     \
    from->cells = to->cells;                                                                       \
    to->cells = cells
#endif
#define AT(view, i, j) view->cells[(i) * view->row + (j) * view->column]

KERNEL static void sweeps(long n, long m, long steps, struct view *from, struct view *to) {
#ifdef COPIED
    for (long t = 0; t < steps; t++) {
#else
    (void)steps;
    {
#endif
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < m - 1; j++)
                AT(to, i, j) = (REAL)0.25 * (AT(from, i - 1, j) + AT(from, i + 1, j) +
                                             AT(from, i, j - 1) + AT(from, i, j + 1));
        FINISH;
    }
}

static void run(long n, long m, long steps, REAL *a, REAL *b) {
    long columns = (m + COLUMN - 1) / COLUMN;
    struct view x = {a, m, COLUMN}, y = {b, m, COLUMN};
#ifdef COPIED
    sweeps(n, columns, steps, &x, &y);
#else
    for (long t = 0; t < steps; t++)
        sweeps(n, columns, 1, &x, &y);
#endif
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE((n[1] + COLUMN - 1) / COLUMN, 1, 1),
        run(n[0], n[1], steps, b[0], b[1]), REALS("a", n[0] * n[1]), REALS("b", n[0] * n[1]))
