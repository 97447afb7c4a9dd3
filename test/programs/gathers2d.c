/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Time loops whose cells look up entries of a short table by an index of their own, as codes do in
 * which a cell's number of a material chooses its coefficients. Two arrays are exchanged; with
 * -DCOPIED one is copied back, with -DSTAGGERED the step has two sweeps in place. With -DNEIGHBOURS
 * a cell looks up the entries of its neighbours, too, with -DUNDER only some cells look up, with
 * -DBEHIND the index of the entry is looked up. With -DACROSS the outer loop walks the rows. With
 * -DSAME the entries are among the cells that are written, with -DWRITTEN the indices change. With
 * -DOWN the entries are cells behind the one that is written; with -DBESIDE an iteration writes the
 * index that the one before looked at, and no other, through pointers that it alone keeps apart. */
#include "harness.h"

#ifndef INDEX
#define INDEX int32_t
#endif
#ifdef ACROSS
#define AT(i, j) ((j) * n + (i))
#else
#define AT(i, j) ((i) * m + (j))
#endif
#ifdef BEHIND
#define ENTRY(i, j) k[(int)which[id[AT(i, j)]]]
#else
#define ENTRY(i, j) k[id[AT(i, j)]]
#endif
enum { ENTRIES = 7 };

#ifdef OWN
KERNEL void run(long n, long m, int steps, REAL *restrict a, REAL *restrict b, REAL *c,
                const REAL *k, INDEX *id, const uint8_t *which) {
    for (int t = 0; t < steps; t++) {
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < m - ENTRIES; j++)
                a[AT(i, j)] += a[AT(i, j) + 1 + id[AT(i, j)]] * (b[AT(i - 1, j)] + b[AT(i, j + 1)]);
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < m - ENTRIES; j++)
                b[AT(i, j)] = (REAL)0.25 * a[AT(i, j)];
    }
}
#elif defined BESIDE
static inline void cell(REAL *restrict to, INDEX *restrict index, const INDEX *restrict next,
                        const REAL *restrict k, REAL sum) {
    *to = k[*next] * sum;
    *index = (INDEX)(sum > 1);
}

KERNEL void run(long n, long m, int steps, REAL *restrict a, REAL *restrict b, REAL *c,
                const REAL *restrict k, INDEX *id, const uint8_t *which) {
    for (int t = 0; t < steps; t++) {
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < m - 1; j++)
                cell(&b[AT(i, j)], &id[AT(i, j)], &id[AT(i, j + 1)], k,
                     a[AT(i - 1, j)] + a[AT(i + 1, j)] + a[AT(i, j - 1)]);
        REAL *was = a;
        a = b;
        b = was;
    }
}
#elif defined STAGGERED
KERNEL void run(int n, int m, int steps, REAL *a, REAL *b, REAL *c, const REAL *k, INDEX *id,
                const uint8_t *which) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n; i++)
            for (int j = 1; j < m; j++)
                a[AT(i, j)] = ENTRY(i, j) * a[AT(i, j)] +
                              k[ENTRIES - 1 - id[AT(i, j)]] * (b[AT(i, j)] - b[AT(i - 1, j)]);
        for (int i = 0; i < n - 1; i++)
            for (int j = 0; j < m - 1; j++)
                b[AT(i, j)] += (REAL)0.25 * (a[AT(i, j)] - a[AT(i, j + 1)]) + c[AT(i, j)];
    }
}
#else
KERNEL void run(int n, int m, int steps, REAL *a, REAL *b, REAL *c, const REAL *k, INDEX *id,
                const uint8_t *which) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                REAL sum = a[AT(i - 1, j)] + a[AT(i + 1, j)] + a[AT(i, j - 1)] + a[AT(i, j + 1)];
#ifdef UNDER
                if (c[AT(i, j)] < 0) {
                    b[AT(i, j)] = a[AT(i, j)];
                    continue;
                }
#endif
                REAL next = a[AT(i, j)] + ENTRY(i, j) * (sum - 4 * a[AT(i, j)]);
#ifdef NEIGHBOURS
                next += ENTRY(i - 1, j) * a[AT(i - 1, j)] - ENTRY(i, j + 1) * a[AT(i, j + 1)];
#endif
                b[AT(i, j)] = next * (REAL)0.5;
#ifdef WRITTEN
                id[AT(i, j)] = (INDEX)((id[AT(i, j)] + 1) % ENTRIES);
#endif
            }
#ifdef COPIED
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[AT(i, j)] = b[AT(i, j)];
#else
        REAL *was = a;
        a = b;
        b = was;
#endif
    }
}
#endif

static void start(long n, long m, long steps, REAL *a, REAL *b, REAL *c, const REAL *k, void *id,
                  const uint8_t *which) {
#ifdef SAME
    k = n > 2 && m > 2 + ENTRIES ? a + m + 1 : k;
#endif
    run((int)n, (int)m, (int)steps, a, b, c, k, id, which);
}

PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1),
        start(n[0], n[1], steps, b[0], b[1], b[2], b[3], b[4], b[5]), REALS("A", n[0] * n[1]),
        REALS("B", n[0] * n[1]), REALS("C", n[0] * n[1]), REALS("K", ENTRIES),
        INTEGERS("I", INDEX, n[0] * n[1], 0, ENTRIES), INTEGERS("W", uint8_t, ENTRIES, 0, ENTRIES))
