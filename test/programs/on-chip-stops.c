/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Time loops that end by what each step reduces, or that leave it behind the loop. FORM:
 *   1 the greatest change, of two arrays whose pointers are exchanged; tested after the step
 *   2 the same; tested before the step
 *   3 the same; the loop is counted
 *   4 tested in every 6th step
 *   5 the least value
 *   6 of integers, the number of cells that change
 *   7 of integers, whether some cell changes
 *   8 the greatest difference of either sign; the sum of those of all steps is live behind the loop
 *   9 the greatest change, and the result is copied back: measured by the copy,
 *   10 measured by the sweep,
 *   11 of a counted loop
 *   12 as 1, measured in a nest of its own
 * FMAX: by fmax. SOURCE: the sweep also reads an array that does not change, and the step. SPOIL: a
 * cell begins with this. EVEN: all are 0. APART: the arrays' borders differ. Arguments: extents,
 * the most steps, and calls, in fives. Each call ends by a smaller change than the one before. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef REAL
#define REAL float
#endif
#ifndef FORM
#define FORM 1
#endif
#define C(x) ((REAL)(x))

#ifdef FMAX
#define GREATEST(most, d) (most = (REAL)fmax(most, d))
#else
#define GREATEST(most, d) (most = (d) > most ? (d) : most)
#endif
#define LEAST(least, v) (least = (v) < least ? (v) : least)
#define ABS(x) ((x) < 0 ? -(x) : (x))

#ifdef DEEP
#define FIRST 1
#define PLANES l
#else
#define FIRST 0
#define PLANES 2
#endif
/* Cell (i, j, k); in 2-D there is one plane. */
#define AT(i, j, k) ((((long)(i)) * n + (j)) * m + (k))
#define SWEEP                                                                                      \
    for (int i = FIRST; i < PLANES - 1; i++)                                                       \
        for (int j = 1; j < n - 1; j++)                                                            \
            for (int k = 1; k < m - 1; k++)

#ifdef DEEP
#define NEW                                                                                        \
    (C(0.16) * a[AT(i - 1, j, k)] + C(0.17) * a[AT(i + 1, j, k)] + C(0.165) * a[AT(i, j - 1, k)] + \
     C(0.163) * a[AT(i, j + 1, k)] + C(0.167) * a[AT(i, j, k - 1)] + C(0.17) * a[AT(i, j, k + 1)])
#else
#define NEW                                                                                        \
    (C(0.24) * a[AT(i, j - 1, k)] + C(0.26) * a[AT(i, j + 1, k)] + C(0.251) * a[AT(i, j, k - 1)] + \
     C(0.244) * a[AT(i, j, k + 1)])
#endif
#ifdef SOURCE
#define VALUE (NEW + f[AT(i, j, k)] - C(0.00001) * (REAL)step)
#else
#define VALUE NEW
#endif
#define EXCHANGE                                                                                   \
    do {                                                                                           \
        REAL *was = a;                                                                             \
        a = b;                                                                                     \
        b = was;                                                                                   \
    } while (0)
/* Life, of which few cells change in the end. */
#define NEAR                                                                                       \
    (a[AT(i, j - 1, k - 1)] + a[AT(i, j - 1, k)] + a[AT(i, j - 1, k + 1)] + a[AT(i, j, k - 1)] +   \
     a[AT(i, j, k + 1)] + a[AT(i, j + 1, k - 1)] + a[AT(i, j + 1, k)] + a[AT(i, j + 1, k + 1)])
#define ALIVE (NEAR == 3 || (NEAR == 2 && a[AT(i, j, k)]))

__attribute__((noinline)) static int run(int n, int m, int l, int limit, REAL eps, REAL *a, REAL *b,
                                         const REAL *f, REAL *change, double *sum) {
    REAL most = 1000;
    int step = 0;
    (void)l, (void)eps, (void)f, (void)sum;
#if FORM == 1
    do {
        most = 0;
        SWEEP {
            REAL v = VALUE, d = v - a[AT(i, j, k)];
            GREATEST(most, ABS(d));
            b[AT(i, j, k)] = v;
        }
        EXCHANGE;
        step++;
    } while (most > eps && step < limit);
#elif FORM == 2
    while (!(most < eps) && step < limit) {
        most = 0;
        SWEEP {
            REAL v = VALUE, d = v - a[AT(i, j, k)];
            GREATEST(most, ABS(d));
            b[AT(i, j, k)] = v;
        }
        EXCHANGE;
        step++;
    }
#elif FORM == 3
    for (; step < limit; step++) {
        most = 0;
        SWEEP {
            REAL v = VALUE, d = v - a[AT(i, j, k)];
            GREATEST(most, ABS(d));
            b[AT(i, j, k)] = v;
        }
        EXCHANGE;
    }
#elif FORM == 4
    for (; step < limit; step++) {
        SWEEP b[AT(i, j, k)] = VALUE;
        if (step % 6 == 5) {
            most = 0;
            SWEEP {
                REAL d = b[AT(i, j, k)] - a[AT(i, j, k)];
                GREATEST(most, ABS(d));
            }
            if (most < eps)
                break;
        }
        EXCHANGE;
    }
#elif FORM == 5
    REAL least;
    do {
        least = 1000;
        SWEEP {
            REAL v = VALUE;
            LEAST(least, v);
            b[AT(i, j, k)] = v;
        }
        EXCHANGE;
        step++;
    } while (least < C(0.7) * (1 - eps) && step < limit);
    most = least;
#elif FORM == 6
    int changes;
    do {
        changes = 0;
        SWEEP {
            REAL v = ALIVE;
            changes += v != a[AT(i, j, k)];
            b[AT(i, j, k)] = v;
        }
        EXCHANGE;
        step++;
    } while (changes > n * m / 24 && step < limit);
    most = (REAL)changes;
#elif FORM == 7
    int changed;
    do {
        changed = 0;
        SWEEP {
            REAL v = ALIVE;
            if (v != a[AT(i, j, k)])
                changed = 1;
            b[AT(i, j, k)] = v;
        }
        EXCHANGE;
        step++;
    } while (changed && step < limit);
    most = (REAL)changed;
#elif FORM == 8
    double all = 0;
    do {
        most = 0;
        SWEEP {
            REAL v = VALUE, d = v - a[AT(i, j, k)];
            GREATEST(most, d);
            b[AT(i, j, k)] = v;
        }
        EXCHANGE;
        all += (double)most;
        step++;
    } while (most > eps && step < limit);
    *sum = all;
#elif FORM == 9
    do {
        most = 0;
        SWEEP b[AT(i, j, k)] = VALUE;
        SWEEP {
            REAL d = b[AT(i, j, k)] - a[AT(i, j, k)];
            GREATEST(most, ABS(d));
            a[AT(i, j, k)] = b[AT(i, j, k)];
        }
        step++;
    } while (most > eps && step < limit);
#elif FORM == 10 || FORM == 11
    do {
        most = 0;
        SWEEP {
            REAL v = VALUE, d = v - a[AT(i, j, k)];
            GREATEST(most, ABS(d));
            b[AT(i, j, k)] = v;
        }
        SWEEP a[AT(i, j, k)] = b[AT(i, j, k)];
        step++;
    } while ((FORM == 11 || most > eps) && step < limit);
#elif FORM == 12
    do {
        most = 0;
        SWEEP b[AT(i, j, k)] = VALUE;
        SWEEP {
            REAL d = b[AT(i, j, k)] - a[AT(i, j, k)];
            GREATEST(most, ABS(d));
        }
        EXCHANGE;
        step++;
    } while (most > eps && step < limit);
#endif
    *change = most;
    return step;
}

static void fill(REAL *a, size_t cells) {
    unsigned seed = 12345;
    for (size_t i = 0; i < cells; i++) {
        seed = seed * 1664525 + 1013904223;
#if FORM == 6 || FORM == 7
        a[i] = a[cells + i] = (REAL)(seed >> 29 == 0);
#else
        a[i] = a[cells + i] = (REAL)(seed >> 8) / (1 << 24) + C(0.25);
#endif
    }
#ifdef EVEN
    for (size_t i = 0; i < 2 * cells; i++)
        a[i] = 0;
#endif
#ifdef SPOIL
    a[cells / 2] = a[cells + cells / 2] = (REAL)(SPOIL);
#endif
#ifdef APART
    a[1] = a[cells + 1] + 1;
#endif
}

static void make(const int of[5]) {
    size_t cells = (size_t)of[0] * of[1] * of[2];
    REAL *a = malloc(2 * cells * sizeof *a), *f = malloc(cells * sizeof *f);
    double eps = 0.9;
    for (size_t i = 0; i < cells; i++)
        f[i] = C(0.0001) * (REAL)(i % 97);
    for (int call = 0; call < of[4]; call++, eps *= 0.85) {
        REAL change = 0;
        double sum = 0;
        fill(a, cells);
        int steps = run(of[0], of[1], of[2], of[3], (REAL)eps, a, a + cells, f, &change, &sum);
        fwrite(&steps, sizeof steps, 1, stdout);
        fwrite(&change, sizeof change, 1, stdout);
        fwrite(&sum, sizeof sum, 1, stdout);
        fwrite(a, sizeof *a, 2 * cells, stdout);
        fprintf(stderr, "steps %d\n", steps);
    }
    free(a);
    free(f);
}

int main(int argc, char **argv) {
    for (int i = 1; i + 4 < argc; i += 5) {
        int of[5];
        for (int k = 0; k < 5; k++)
            of[k] = atoi(argv[i + k]);
        make(of);
    }
    return 0;
}
