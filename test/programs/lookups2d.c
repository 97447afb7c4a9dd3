/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sweeps with mathematical functions of what does not change in them: of an array, with -DCOUNTERS
 * of the loops' counters, with -DROWS of the row. With -DUNDER some cells are skipped, with -DTWO a
 * cell has two functions and makes two arrays, with -DNESTED a function is another one's argument,
 * with -DACROSS the outer loop walks the rows. With -DSAME the array is the one that is written,
 * with -DWRITTEN the source says so; with -DBEFORE it is what the cell before has written. errno is
 * a result, too. */
#include "harness.h"

#include <errno.h>
#include <math.h>

#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#ifdef FLOATS
#define MATH(name) CAT(name, f)
#else
#define MATH(name) name
#endif

#ifdef ACROSS
#define AT(i, j) ((j) * n + (i))
#else
#define AT(i, j) ((i) * m + (j))
#endif

KERNEL void sweep(int n, int m, const REAL *in, REAL *out, REAL *other, const REAL *of, REAL by) {
    for (int i = 1; i < n - 1; i++) {
#ifdef ROWS
        REAL row = MATH(sin)(of[i] * by);
#endif
        for (int j = 1; j < m - 1; j++) {
#ifdef UNDER
            if (in[AT(i, j)] + in[AT(i, j - 1)] < 0 && of[AT(i, j)] > by)
                continue;
#endif
#if defined ROWS
            REAL f = row;
#elif defined COUNTERS
            REAL f = MATH(cos)((REAL)i * by + (REAL)j);
#elif defined NESTED
            REAL f = MATH(sin)(MATH(exp)(of[AT(i, j)] * by) + of[AT(i, j) - 1]);
#elif defined BEFORE
            REAL f = MATH(sin)(other[AT(i, j) - 1] * by);
            other[AT(i, j)] = in[AT(i, j)] * by;
#elif defined WRITTEN
            REAL f = MATH(sin)(out[AT(i, j)] * by);
#else
            REAL f = MATH(log)(of[AT(i, j)] * by);
#endif
            out[AT(i, j)] = (REAL)0.2 * (in[AT(i, j)] + in[AT(i - 1, j)] + in[AT(i + 1, j)] +
                                         in[AT(i, j - 1)] + in[AT(i, j + 1)]) +
                            f * (in[AT(i, j)] - in[AT(i - 1, j - 1)]);
#ifdef TWO
            other[AT(i, j)] =
                MATH(pow)(of[AT(i, j)], by) + f * in[AT(i + 1, j)] - in[AT(i, j + 1)] * by;
#endif
        }
    }
}

static void run(int n, int m, int steps, REAL *a, REAL *b, REAL *c, const REAL *of,
                int32_t *number) {
    errno = 0;
    for (int t = 0; t < steps; t++) {
#ifdef SAME
        of = b;
#endif
        sweep(n, m, a, b, c, of, (REAL)0.75);
        REAL *was = a;
        a = b;
        b = was;
    }
    number[0] = errno;
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        run((int)n[0], (int)n[1], (int)steps, b[0], b[1], b[2], b[3], b[4]),
        REALS("A", n[0] * n[1]), REALS("B", n[0] * n[1]), REALS("C", n[0] * n[1]),
        REALS("F", n[0] * n[1]), INTEGERS("E", int32_t, 1, 0, 1))
