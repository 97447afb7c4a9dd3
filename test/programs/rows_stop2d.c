/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tables of rows, T **, that are exchanged in a time loop which ends when the greatest change is
 * small: whether a step comes that reads the outermost rows of the second table is not known. FORM:
 * 1 the limit is a number; 2 it is read through a pointer; 3 it is a cell that the sweep reads, and
 * a later step writes; 4 tables of planes. PLACE of the second table: 1 as the first one's; 2 its
 * outermost pointers are not there, where the loop makes one step; 3 they are, but lead nowhere;
 * 4 rows in another order. */
#include "harness.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef FORM
#define FORM 1
#endif
#ifndef PLACE
#define PLACE 1
#endif
#define CHANGE(v, was) ((v) > (was) ? (v) - (was) : (was) - (v))

#if FORM == 4
typedef REAL ***table;
KERNEL int drive(int n, int m, int steps, table a, table b, REAL limit) {
    int t = 0;
    for (REAL most = limit + 1; most > limit && t < steps; t++) {
        most = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                for (int k = 1; k < m - 1; k++) {
                    REAL v = (REAL)0.25 *
                             (a[i - 1][j][k] + a[i][j + 1][k] + a[i][j][k - 1] + a[i + 1][j][k]);
                    REAL d = CHANGE(v, a[i][j][k]);
                    if (d > most)
                        most = d;
                    b[i][j][k] = v;
                }
        table c = a;
        a = b;
        b = c;
    }
    return t;
}
#else
typedef REAL **table;
KERNEL int drive(int n, int m, int steps, table a, table b, const REAL *limit) {
    REAL most = 1000;
#if FORM == 1
    const REAL own = *limit;
    limit = &own;
#endif
    int t = 0;
    while (most > *limit && t < steps) {
        most = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                REAL v = (REAL)0.25 * (a[i - 1][j] + a[i][j + 1] + a[i][j - 1] + a[i + 1][j]);
                REAL d = CHANGE(v, a[i][j]);
                if (d > most)
                    most = d;
                b[i][j] = v;
            }
        table c = a;
        a = b;
        b = c;
        t++;
    }
    return t;
}
#endif

/* A table of n pointers, of which those of PLACE == 2 lie at the ends of a mapping's pages. */
static void *make_table(long n, int second) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), inner = (size_t)(n - 2) * sizeof(void *);
    if (PLACE != 2 || !second || inner > page || inner == 0)
        return calloc((size_t)n + 1, sizeof(void *));
    char *at = mmap(NULL, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(at + page, page, PROT_READ | PROT_WRITE);
    return at + 2 * page - inner - sizeof(void *);
}

static int is_left_out(long i, long n, int second) {
    return second && PLACE >= 2 && PLACE <= 3 && n > 2 && (i == 0 || i == n - 1);
}

static table make(long n, long m, REAL *cells, int second) {
    table t = make_table(n, second);
    for (long i = 0; i < n; i++) {
        long at = PLACE == 4 && second && n > 3 && i < 2 ? 1 - i : i;
        if (is_left_out(i, n, second)) {
            if (PLACE == 3)
                t[i] = (void *)16;
            continue;
        }
#if FORM == 4
        t[i] = calloc((size_t)m, sizeof *t[i]);
        for (long j = 0; j < m; j++)
            t[i][j] = cells + (at * m + j) * m;
#else
        t[i] = cells + at * m;
#endif
    }
    return t;
}

static void run(long n, long m, long steps, REAL *a, REAL *b, REAL *found) {
    if (n < 1 || m < 1)
        return;
    table x = make(n, m, a, 0), y = make(n, m, b, 1);
    REAL limit = PLACE == 2 || PLACE == 3 ? (REAL)1e6 : (REAL)STOP;
#if FORM == 4
    found[0] = (REAL)drive((int)n, (int)m, (int)steps, x, y, limit);
#elif FORM == 3
    b[m + 1 < n * m ? m + 1 : 0] = limit;
    found[0] = (REAL)drive((int)n, (int)m, (int)steps, x, y, &b[m + 1 < n * m ? m + 1 : 0]);
#else
    found[0] = (REAL)drive((int)n, (int)m, (int)steps, x, y, &limit);
#endif
}

#if FORM == 4
PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1) * INSIDE(n[1], 1, 1),
        run(n[0], n[1], steps, b[0], b[1], b[2]), REALS("A", n[0] * n[1] * n[1]),
        REALS("B", n[0] * n[1] * n[1]), REALS("found", 2))
#else
PROGRAM(2, INSIDE(n[0], 1, 1) * INSIDE(n[1], 1, 1), run(n[0], n[1], steps, b[0], b[1], b[2]),
        REALS("A", n[0] * n[1]), REALS("B", n[0] * n[1]), REALS("found", 2))
#endif
