/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a test program and its main() (harness.c) know of each other. A program is one kernel
 * function and a PROGRAM line; compare.py builds it with and without the plugin, always with a
 * harness.o that was built without.
 */
#ifndef HARNESS_H
#define HARNESS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifndef REAL
#define REAL float
#endif
#define SQRT(x) _Generic((x), float: sqrtf(x), double: sqrt(x))

/* Compiled as if its callers were in another file. */
#define KERNEL __attribute__((noinline))

enum { MAX_RANK = 3, MAX_BUFFERS = 16 };

struct buffer {
    const char *name;
    char kind; /* 'f' floating point, 'i' signed, 'u' unsigned */
    int size;  /* bytes of an element */
    long count;
    long low, range; /* integers start as low .. low + range - 1 */
    void *at;        /* static storage; NULL: main() allocates it between guard pages */
};

#define KIND(type)                                                                                 \
    _Generic((type)0, float: 'f', double: 'f', default: (type) - 1 < (type)1 ? 'i' : 'u')
#define REALS(name, count) {name, 'f', sizeof(REAL), count, 0, 0, 0}
#define INTEGERS(name, type, count, low, range)                                                    \
    {name, KIND(type), sizeof(type), count, low, range, 0}
#define STATIC_REALS(array) {#array, 'f', sizeof(REAL), sizeof(array) / sizeof(REAL), 0, 0, array}

/* Cells of an extent that keep `low` and `high` neighbours inside. */
#define INSIDE(extent, low, high) ((extent) > (low) + (high) ? (extent) - (low) - (high) : 0)

/* How many sizes the command line gives a case, before the number of steps. */
extern const int program_rank;

/* Fills in the buffers a case of sizes n needs; sets `cells`, those updated a step; returns how
 * many buffers. */
int program_describe(const long *n, struct buffer *buffers, long *cells);

void program_run(const long *n, long steps, void *const *b);

/* Gives `count` arrays of the case's sizes, `bytes` an element, the border of the first one: its
 * outermost `width` cells. */
void share_border(const long *n, int width, size_t bytes, int count, void *const *arrays);

#define PROGRAM(rank, cells_a_step, call, ...)                                                     \
    const int program_rank = rank;                                                                 \
    int program_describe(const long *n, struct buffer *buffers, long *cells) {                     \
        const struct buffer list[] = {__VA_ARGS__};                                                \
        (void)n;                                                                                   \
        *cells = cells_a_step;                                                                     \
        memcpy(buffers, list, sizeof list);                                                        \
        return sizeof list / sizeof *list;                                                         \
    }                                                                                              \
    void program_run(const long *n, long steps, void *const *b) {                                  \
        (void)n, (void)steps, (void)b;                                                             \
        call;                                                                                      \
    }

#endif
