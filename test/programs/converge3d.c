/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Values in a box until they are flat: the greatest and the least are found while the result is
 * copied back, and both are live. FORM: 2 the greatest change as the sweep computes, pointers
 * exchanged, 3 likewise in a nest of its own that reads neighbours, 4 in a nest that writes two
 * arrays, 5 a sum of whole numbers. */
#include "harness.h"

#ifndef FORM
#define FORM 1
#endif
#ifndef EPS
#define EPS 0.5
#endif
#define EACH                                                                                       \
    for (long i = 1; i < n - 1; i++)                                                               \
        for (long j = 1; j < m - 1; j++)                                                           \
            for (long k = 1; k < l - 1; k++)
#define AT(x) x[(i * m + j) * l + k]
#define MEAN(c) ((c[-1] + c[1] + c[-l] + c[l] + c[-m * l] + c[m * l]) / 6)
#define ABS(x) ((x) < 0 ? -(x) : (x))
#define GROW(d) (most = (d) > most ? (d) : most)

KERNEL static void converge3d(long n, long m, long l, long most_steps, REAL eps, REAL *a, REAL *b,
                              REAL *c, REAL *extremes, int *count) {
    REAL most = 0, least = 0;
    int step = 0;
    (void)c;
    do {
#if FORM == 1
        EACH {
            REAL *at = &AT(a);
            AT(b) = MEAN(at);
        }
        most = (REAL)-1e30;
        least = (REAL)1e30;
        EACH {
            REAL v = AT(b);
            most = v > most ? v : most;
            if (v < least)
                least = v;
            AT(a) = v;
        }
#elif FORM == 4
        EACH {
            REAL *at = &AT(c);
            AT(b) += MEAN(at) - AT(b) * (REAL)0.5;
        }
        most = 0;
        EACH {
            REAL *at = &AT(b);
            REAL new = MEAN(at), d = AT(a) - new;
            AT(a) = new;
            AT(c) = AT(c) * (REAL)0.5 + AT(b) * (REAL)0.25;
            GROW(ABS(d));
        }
#elif FORM == 5
        int sum = 0;
        EACH {
            REAL *at = &AT(a), new = (REAL)((int)(MEAN(at) * 16) & 15);
            sum += (int)new;
            AT(b) = new;
        }
        most = (REAL)sum;
#else
        most = 0;
        EACH {
            REAL *at = &AT(a), new = MEAN(at);
            REAL d = new - *at;
            if (FORM == 2)
                GROW(ABS(d));
            AT(b) = new;
        }
#if FORM == 3
        EACH {
            REAL *at = &AT(a), d = AT(b) - (at[-l] + at[m * l] + at[1]) / 3;
            GROW(ABS(d));
        }
#endif
#endif
#if FORM != 1 && FORM != 4
        REAL *was = a;
        a = b;
        b = was;
#endif
        step++;
    } while (most - least > eps && step < most_steps);
    extremes[0] = most;
    extremes[1] = least;
    *count = step;
}

#define ALL (n[0] * n[1] * n[2])
#define CELLS ((INSIDE(n[0], 1, 1)) * (INSIDE(n[1], 1, 1)) * (INSIDE(n[2], 1, 1)))
PROGRAM(3, CELLS,
        converge3d(n[0], n[1], n[2], steps, (REAL)(EPS), b[0], b[1], b[2], b[3], b[4]),
        REALS("a", ALL), REALS("b", ALL), REALS("c", ALL), REALS("extremes", 2),
        INTEGERS("count", int, 1, 0, 9))
