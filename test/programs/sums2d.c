/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sums of floating-point numbers, in the order of the loops, that each step needs. FORM: 1 conjugate
 * gradients; 2 mean and variance, by which the next sweep filters; 3 a time step from a maximum in the
 * step, and a time that ends the loop; 4 columns first, under a condition, subtracted; 5 a residual that
 * ends the loop, of products; 6 two sums of one nest, one of them of numbers of both signs; 7 a norm, by a
 * function that may set errno; 8 such functions of the step's number, for a source and a factor. */
#include "harness.h"

#include <errno.h>
#include <math.h>

#ifndef FORM
#define FORM 1
#endif
#define EACH                                                                                       \
    for (long i = 1; i < n - 1; i++)                                                               \
        for (long j = 1; j < m - 1; j++)
#define AT(x) x[i * m + j]
#define AROUND(x) (x[(i - 1) * m + j] + x[(i + 1) * m + j] + x[i * m + j - 1] + x[i * m + j + 1])

KERNEL static void run(long n, long m, long steps, REAL *a, REAL *b, REAL *c, REAL *d, REAL *found) {
    REAL last = 0, time = 0;
    int t = 0;
    (void)c, (void)d;
#if FORM == 1
    REAL old = 0;
    EACH old += AT(a) * AT(a);
    for (t = 0; t < steps && old > (REAL)1e-3; t++) {
        REAL product = 0, now = 0;
        EACH {
            AT(c) = (REAL)4.5 * AT(b) - AROUND(b);
            product += AT(c) * AT(b);
        }
        REAL alpha = old / product;
        EACH {
            AT(d) += alpha * AT(b);
            AT(a) -= alpha * AT(c);
            now += AT(a) * AT(a);
        }
        REAL beta = now / old;
        EACH AT(b) = AT(a) + beta * AT(b);
        old = now;
    }
    last = old;
#elif FORM == 2
    for (t = 0; t < steps; t++) {
        REAL sum = 0, squares = 0;
        EACH {
            sum += AT(a);
            squares += AT(a) * AT(a);
        }
        REAL mean = sum / (REAL)((n - 2) * (m - 2));
        REAL q = (squares / (REAL)((n - 2) * (m - 2)) - mean * mean) / (mean * mean + 1);
        EACH AT(b) = 1 / (1 + (AROUND(a) - 4 * AT(a)) * (AT(a) - q));
        EACH AT(a) = AT(a) + (REAL)0.1 * (AT(b) + b[(i + 1) * m + j] - q);
        last = q;
    }
#elif FORM == 3
    while (time < (REAL)0.02 * steps) {
        REAL most = (REAL)0.25;
        EACH most = AT(a) > most ? AT(a) : most;
        REAL dt = (REAL)0.01 / most;
        EACH AT(b) = AT(a) + dt * (AROUND(a) - 4 * AT(a));
        EACH AT(a) = AT(b);
        time += dt;
        last = most;
        t++;
    }
#elif FORM == 4
    for (t = 0; t < steps; t++) {
        REAL all = 1;
        for (long j = 1; j < m - 1; j++)
            for (long i = 1; i < n - 1; i++)
                if (AT(a) > (REAL)0.25)
                    all -= AT(a);
        EACH AT(b) = (REAL)0.2 * (AROUND(a) + AT(a)) + all * (REAL)0.001;
        EACH AT(a) = AT(b);
        last = all;
    }
#elif FORM == 5
    last = 1;
    for (t = 0; t < steps && last > (REAL)1e-6; t++) {
        last = 0;
        EACH {
            REAL change = (REAL)0.25 * AROUND(a) - AT(a);
            AT(b) = AT(a) + (REAL)0.8 * change;
            last += change * change;
        }
        REAL *was = a;
        a = b;
        b = was;
    }
#elif FORM == 7
    REAL norm = 1;
    do {
        REAL all = 0;
        EACH AT(b) = (REAL)0.25 * AROUND(a);
        EACH all += (AT(b) - AT(a)) * (AT(b) - AT(a));
        EACH AT(a) = AT(b);
        norm = (REAL)sqrt(all / (REAL)((n - 2) * (m - 2)));
        t++;
    } while (norm > (REAL)1e-3 && t < steps);
    last = norm;
#elif FORM == 8
    errno = 0;
    for (t = 0; t < steps; t++) {
        REAL root = (REAL)sqrt((double)(2 - t)), pulse = (REAL)exp(-0.1 * (t - 3) * (t - 3));
        root = root > 0 ? root : 0;
        EACH AT(b) = (REAL)0.2 * (AROUND(a) + AT(a)) + root;
        if (n > 3 && m > 4)
            b[2 * m + 3] += pulse;
        EACH AT(a) = AT(b);
    }
    time = (REAL)errno;
#else
    for (t = 0; t < steps; t++) {
        REAL all = 0, size = 0;
        EACH {
            AT(b) = (REAL)0.25 * AROUND(a);
            all += AT(b) - AT(a);
            size += AT(a) * AT(a);
        }
        EACH AT(a) = AT(b) - all / (size + 1);
        last = all;
    }
#endif
    found[0] = last;
    found[1] = time;
    found[2] = (REAL)t;
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        run(n[0], n[1], steps, b[0], b[1], b[2], b[3], b[4]), REALS("a", n[0] * n[1]),
        REALS("b", n[0] * n[1]), REALS("c", n[0] * n[1]), REALS("d", n[0] * n[1]),
        REALS("found", 3))
