/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* OpenMP's parallel regions, entered in each step, or once around the time loop. FORM: 1 a static
 * array with a level for each parity of the step; 2 a copy back in a region of its own; 3 in the
 * same region; 4 the time loop in the region, with pointers of each thread; 5 with shared ones that
 * one thread exchanges; 6 a time loop that ends by the greatest change; 7 a number of cells; 8 a
 * sweep; 9 two arrays by two regions; 10 the time loop in the region, beside another one;
 * 11 the time loop in a loop of runs; 12 a time loop that ends by a sum of floats; 13 collapsed
 * loops in each step; 14 collapsed loops, the time loop in the region; 15 three collapsed loops; 16
 * iterations given out while the loop runs; 17 in parts of a fixed size, two loops in a region; 18
 * as 6, given out in parts; 19 the time loop in the region, and parts; 20 the last iteration's
 * value is kept; 21 the time loop in the region, which tests the greatest change behind the count
 * of steps, pointers exchanged; 22 the same with a copy back; 23 an output in every third step; 24
 * a maximum in every third step; 25 an output between two regions; 26 a
 * time loop that ends by the greatest change, of which threads tell in a critical section. */
#include "harness.h"

#ifdef _OPENMP
#include "Inputs/team.c"
#endif

#ifndef FORM
#define FORM 1
#endif
#define ROWS for (int i = 1; i < n - 1; i++)
#define CELLS for (int j = 1; j < m - 1; j++)
#define AT(a, i, j) a[(long)(i) * m + (j)]
#define MEAN(a)                                                                                    \
    ((REAL)0.25 * (AT(a, i - 1, j) + AT(a, i + 1, j) + AT(a, i, j - 1) + AT(a, i, j + 1)))
#define SWAP                                                                                       \
    {                                                                                              \
        REAL *c = a;                                                                               \
        a = b;                                                                                     \
        b = c;                                                                                     \
    }

static REAL level[2][40][37];
static volatile int runs;

#if FORM == 23 || FORM == 25
KERNEL static void note(REAL *found, const REAL *a, int t) {
    found[t % 2] += a[0] + a[t % 5];
    __asm__ volatile("" ::: "memory");
}
#endif

KERNEL static void run(int n, int m, int steps, REAL *a, REAL *b, REAL *found) {
    (void)a, (void)b, (void)found, (void)runs;
#if FORM == 1
    (void)n, (void)m;
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for schedule(static)
        for (int i = 1; i < 39; i++)
            for (int j = 1; j < 36; j++)
                level[(t + 1) % 2][i][j] =
                    (REAL)0.5 * level[t % 2][i][j - 1] + (REAL)0.25 * level[t % 2][i + 1][j];
    }
#elif FORM == 2
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        ROWS CELLS AT(b, i, j) = MEAN(a);
#pragma omp parallel for
        ROWS CELLS AT(a, i, j) = AT(b, i, j);
    }
#elif FORM == 3
    for (int t = 0; t < steps; t++) {
#pragma omp parallel
        {
#pragma omp for
            ROWS CELLS AT(b, i, j) = MEAN(a);
#pragma omp for
            ROWS CELLS AT(a, i, j) = AT(b, i, j);
        }
    }
#elif FORM == 4
    REAL *from = a, *to = b;
#pragma omp parallel
    {
        REAL *a = from, *b = to;
        for (int t = 0; t < steps; t++) {
#pragma omp for schedule(static)
            ROWS CELLS AT(b, i, j) = MEAN(a);
            SWAP
        }
    }
#elif FORM == 5
#pragma omp parallel
    for (int t = 0; t < steps; t++) {
#pragma omp for
        ROWS CELLS AT(b, i, j) = MEAN(a);
#pragma omp single
        SWAP
    }
#elif FORM == 6
    REAL change = 1;
    int t = 0;
    for (; t < steps && change > (REAL)0.05; t++) {
        change = 0;
#pragma omp parallel for reduction(max : change)
        ROWS CELLS {
            REAL v = MEAN(a), d = v - AT(a, i, j);
            d = d < 0 ? -d : d;
            AT(b, i, j) = v;
            change = d > change ? d : change;
        }
        SWAP
    }
    found[0] = change;
    found[1] = t;
#elif FORM == 7
    long warm = 0;
    for (int t = 0; t < steps; t++) {
        warm = 0;
#pragma omp parallel for reduction(+ : warm)
        ROWS CELLS {
            REAL v = MEAN(a);
            AT(b, i, j) = v;
            warm += v > (REAL)0.5;
        }
        SWAP
    }
    found[0] = (REAL)warm;
#elif FORM == 8
    (void)steps;
#pragma omp parallel for simd
    ROWS CELLS AT(b, i, j) = MEAN(a);
#elif FORM == 9
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        ROWS CELLS AT(b, i, j) = AT(b, i, j) + (REAL)0.5 * (AT(a, i, j + 1) - AT(a, i, j));
#pragma omp parallel for
        ROWS CELLS AT(a, i, j) = AT(a, i, j) + (REAL)0.5 * (AT(b, i, j) - AT(b, i - 1, j));
    }
#elif FORM == 10
#pragma omp parallel
    {
#pragma omp for
        ROWS CELLS AT(b, i, j) = MEAN(a);
        for (int t = 0; t < steps; t++) {
#pragma omp for
            ROWS CELLS AT(a, i, j) = MEAN(b);
#pragma omp for
            ROWS CELLS AT(b, i, j) = MEAN(a);
        }
    }
#elif FORM == 12
    REAL all = 1;
    for (int t = 0; t < steps && all > (REAL)1e-6; t++) {
        all = 0;
#pragma omp parallel for reduction(+ : all)
        ROWS CELLS {
            REAL v = MEAN(a), d = v - AT(a, i, j);
            AT(b, i, j) = v;
            all += d * d;
        }
        SWAP
    }
    found[0] = all;
#elif FORM == 13
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for collapse(2)
        ROWS CELLS AT(b, i, j) = MEAN(a);
        SWAP
    }
#elif FORM == 14
#pragma omp parallel
    for (int t = 0; t < steps; t++) {
#pragma omp for collapse(2)
        ROWS CELLS AT(b, i, j) = MEAN(a);
#pragma omp for collapse(2) schedule(static)
        ROWS CELLS AT(a, i, j) = AT(b, i, j);
    }
#elif FORM == 15 /* planes of rows */
    int rows = 2 + (steps > 0), planes = n / rows;
#pragma omp parallel for collapse(3)
    for (int p = 1; p < planes; p++)
        for (int i = 0; i < rows; i++)
            CELLS AT(b, p * rows + i, j) =
                AT(a, p * rows + i - 1, j) - AT(a, p * rows + i - rows, j - 1);
#elif FORM == 16
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for schedule(dynamic)
        ROWS CELLS AT(b, i, j) = MEAN(a);
        SWAP
    }
#elif FORM == 17
    for (int t = 0; t < steps; t++) {
#pragma omp parallel
        {
#pragma omp for schedule(static, 2)
            ROWS CELLS AT(b, i, j) = MEAN(a);
#pragma omp for schedule(static, 5)
            ROWS CELLS AT(a, i, j) = AT(b, i, j);
        }
    }
#elif FORM == 18
    REAL most = 1;
    for (int t = 0; t < steps && most > (REAL)1e-6; t++) {
        most = 0;
#pragma omp parallel for schedule(guided, 3) reduction(max : most)
        ROWS CELLS {
            REAL v = MEAN(a), d = v > AT(a, i, j) ? v - AT(a, i, j) : AT(a, i, j) - v;
            if (d > most)
                most = d;
            AT(b, i, j) = v;
        }
        SWAP
    }
    found[0] = most;
#elif FORM == 19
#pragma omp parallel
    for (int t = 0; t < steps; t++) {
#pragma omp for schedule(runtime)
        ROWS CELLS AT(b, i, j) = MEAN(a);
#pragma omp for schedule(dynamic, 4)
        ROWS CELLS AT(a, i, j) = AT(b, i, j);
    }
#elif FORM == 20
    unsigned rows = (unsigned)n - 2, last = 0;
#pragma omp parallel for schedule(static, 3) lastprivate(last)
    for (unsigned i = 0; i < rows; i++) {
        last = i * 3;
        CELLS AT(b, i + 1, j) = AT(a, i, j) - AT(a, i + 2, j - 1);
    }
    found[0] = (REAL)last;
#elif FORM == 21 || FORM == 22
    REAL most = 1, limit = (REAL)0.02;
    int step = 0;
#pragma omp parallel
    while (step < steps && most > limit) {
#pragma omp barrier
#pragma omp single
        {
            most = 0;
            step++;
        }
#pragma omp for reduction(max : most)
        ROWS CELLS {
            REAL v = MEAN(a), d = v > AT(a, i, j) ? v - AT(a, i, j) : AT(a, i, j) - v;
            if (d > most)
                most = d;
            AT(b, i, j) = v;
        }
#if FORM == 21
#pragma omp single
        SWAP
#else
#pragma omp for
        ROWS CELLS AT(a, i, j) = AT(b, i, j);
#endif
    }
    found[0] = most;
    found[1] = (REAL)step;
#elif FORM == 23
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        ROWS CELLS AT(b, i, j) = MEAN(a);
#pragma omp parallel for
        ROWS CELLS AT(a, i, j) = AT(b, i, j);
        if (t % 3 == 1)
            note(found, &AT(a, n / 2, 0), t);
    }
#elif FORM == 24
    REAL most = 0;
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        ROWS CELLS AT(b, i, j) = MEAN(a);
        if (t % 3 == 1) {
            most = 0;
#pragma omp parallel for reduction(max : most)
            ROWS CELLS {
                REAL d = AT(b, i, j) - AT(a, i, j);
                if (d > most)
                    most = d;
            }
            found[0] += most;
        }
#pragma omp parallel for
        ROWS CELLS AT(a, i, j) = AT(b, i, j);
    }
#elif FORM == 25
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        ROWS CELLS AT(b, i, j) = MEAN(a);
        if (t % 3 == 1)
            note(found, &AT(b, n / 2, 0), t);
#pragma omp parallel for
        ROWS CELLS AT(a, i, j) = AT(b, i, j);
    }
#elif FORM == 26
    REAL most = 1;
    int t = 0;
    for (; most > (REAL)0.02 && t < steps; t++) {
        most = 0;
#pragma omp parallel
        {
            REAL mine = 0;
#pragma omp for
            ROWS CELLS AT(b, i, j) = MEAN(a);
#pragma omp for
            ROWS CELLS {
                REAL d = AT(b, i, j) < AT(a, i, j) ? AT(a, i, j) - AT(b, i, j)
                                                   : AT(b, i, j) - AT(a, i, j);
                if (mine < d)
                    mine = d;
                AT(a, i, j) = AT(b, i, j);
            }
#pragma omp critical
            if (most < mine)
                most = mine;
        }
    }
    found[0] = most;
    found[1] = (REAL)t;
#elif FORM == 11
    for (int r = 0; r < (steps > 0 ? steps % 2 + 1 : 0); r++) {
        REAL *from = a, *to = b;
        for (int t = 0; t < steps; t++) {
#pragma omp parallel for
            ROWS CELLS AT(to, i, j) = MEAN(from);
            REAL *c = from;
            from = to;
            to = c;
        }
        runs = r;
    }
#endif
}

#if FORM == 1
PROGRAM(0, 38 * 35, run(0, 0, (int)steps, NULL, NULL, NULL), STATIC_REALS(level))
#else
PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        run((int)n[0], (int)n[1], (int)steps, b[0], b[1], b[2]), REALS("a", n[0] * n[1]),
        REALS("b", n[0] * n[1]), REALS("found", 2))
#endif
