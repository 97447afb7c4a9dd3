/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * spread ACT ROWS CELLS STEPS: calls loop nests of another file, one after the other, and looks at
 * their arrays in between, or not. `mixed SEED` draws what comes next. Prints a hash of all bytes
 * that it saw: the plain build's must be the same.
 */
#include "spread.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t hash = 14695981039346656037u;
static REAL *a, *b, *c;
static long rows, n, cells;
static unsigned seed;

static void add(const void *memory, size_t bytes) {
    const unsigned char *at = memory;
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ at[i]) * 1099511628211u;
}

static unsigned draw(unsigned below) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % below;
}

static void swap(void) {
    REAL *was = a;
    a = b;
    b = was;
}

static void sum(REAL x) {
    add(&x, sizeof x);
}

static void in_child(void) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        add(a, sizeof *a * (size_t)cells);
        _exit((int)(hash & 127));
    }
    int status = 0;
    waitpid(child, &status, 0);
    add(&status, sizeof status);
}

/* Something else than a step. */
static void disturb(unsigned what) {
    long at = (long)draw((unsigned)cells);
    switch (what) {
    case 0: /* a cell, a row, a column, all */
        add(&a[at], sizeof *a);
        break;
    case 1:
        a[at] = (REAL)draw(100) / 64;
        break;
    case 2:
        memset(a + at / n * n, 0, sizeof *a * (size_t)n);
        break;
    case 3:
        for (long i = 0; i < rows; i++)
            a[i * n + at % n] += 1;
        break;
    case 4:
        add(a, sizeof *a * (size_t)cells);
        break;
    case 5:
        walls(rows, n, a);
        break;
    case 6:
        in_child();
        break;
    case 7:
        sum(greatest(rows, n, a));
        break;
    case 8:
        sum(greatest_of_all(cells, a));
        break;
    case 9: { /* the array moves */
        REAL *moved = malloc(sizeof *a * (size_t)cells);
        memcpy(moved, a, sizeof *a * (size_t)cells);
        free(a);
        a = moved;
        break;
    }
    default:
        break;
    }
}

static void step(unsigned what) {
    switch (what) {
    case 0:
        jacobi(rows, n, b, a);
        swap();
        break;
    case 1:
        wide(rows, n, b, a);
        swap();
        break;
    case 2:
        steps(rows, n, 1 + (int)draw(9), a, b);
        break;
    case 3:
        two_sweeps(rows, n, 1 + (int)draw(5), a, b);
        break;
    case 4:
        scale(rows, n, a);
        break;
    case 5:
        sum(change(rows, n, 1 + (int)draw(4), a, b));
        break;
    case 6:
        sum((REAL)settle(rows, n, (REAL)0.01, a, b));
        break;
    case 7:
        around(rows, n, 1 + (int)draw(4), a, b);
        break;
    case 8: /* the upper rows only */
        jacobi(rows / 2 + 1, n, b, a);
        break;
    case 9: /* all of an array, or two of its rows */
        if (draw(2))
            scale(rows, n, c);
        else
            beside(rows, n, 1 + (int)draw(2), a, b, c);
        break;
    case 10: /* calls that read more or fewer rows of others */
        jacobi(rows, n, b, a);
        jacobi(rows, n, a, b);
        two_sweeps(rows, n, 3, a, b);
        scale(rows, n, a);
        steps(rows, n, 4, a, b);
        break;
    default:
        jacobi_3d(rows / 8, 8, n, b, a);
        swap();
        break;
    }
}

static void mixed(int count) {
    enum { STEPS = 12, DISTURBANCES = 10, RARELY = 3 };
    for (int t = 0; t < count; t++) {
        unsigned what = draw(STEPS);
        for (unsigned times = 1 + draw(4); times > 0; times--)
            step(what);
        if (draw(RARELY) == 0)
            disturb(draw(DISTURBANCES));
    }
}

/* One kind of steps, and every seventh time something else, if that is asked for. */
static void regular(unsigned what, int count, int disturbance) {
    for (int t = 0; t < count; t++) {
        step(what);
        if (disturbance >= 0 && t % 7 == 6)
            disturb((unsigned)disturbance);
    }
}

int main(int argc, char **argv) {
    static const char *const names[] = {"jacobi", "wide",   "steps",   "two-sweeps",
                                        "scale",  "change", "settle",  "around",
                                        "upper",  "beside", "in-turn", "jacobi-3d"};
    rows = atol(argv[2]);
    n = atol(argv[3]);
    cells = rows * n;
    a = malloc(sizeof *a * (size_t)cells);
    b = malloc(sizeof *b * (size_t)cells);
    c = malloc(sizeof *c * (size_t)cells);
    for (long i = 0; i < cells; i++) {
        a[i] = (REAL)draw(1000) / 512;
        b[i] = (REAL)draw(1000) / 512;
        c[i] = (REAL)draw(1000) / 512;
    }
    seed = argc > 5 ? (unsigned)atoi(argv[5]) : 1;
    if (!strcmp(argv[1], "mixed"))
        mixed(atoi(argv[4]));
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(argv[1], names[i]))
            regular(i, atoi(argv[4]), argc > 6 ? atoi(argv[6]) : -1);
    add(a, sizeof *a * (size_t)cells);
    add(b, sizeof *b * (size_t)cells);
    add(c, sizeof *c * (size_t)cells);
    printf("%016llx\n", (unsigned long long)hash);
    free(a);
    free(b);
    free(c);
    return 0;
}
