/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the functions that programs.py writes and run.c, which calls them, know of each other. A
 * file of functions is compiled twice, with PREFIX plain_ and device_, and both make a library. It
 * needs no headers of a C library, nor one to link.
 */
#ifndef RUN_H
#define RUN_H

#include <stddef.h>
#include <stdint.h>

#ifdef PREFIX
double sqrt(double), fabs(double), fma(double, double, double), copysign(double, double),
    floor(double), fmax(double, double), fmin(double, double);
float sinf(float), cosf(float), expf(float), logf(float), tanhf(float);
double sin(double), cos(double), exp(double), log(double), tanh(double);
float sqrtf(float), fabsf(float), fmaf(float, float, float), copysignf(float, float), floorf(float),
    fmaxf(float, float), fminf(float, float);
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
void *memcpy(void *, const void *, size_t), *memset(void *, int, size_t);
#define JOIN(a, b) a##b
#define EXPAND(a, b) JOIN(a, b)
#define P(name) EXPAND(PREFIX, name)
#endif

enum { MOST_MEMORIES = 12, MOST_RUNS = 4 };

struct memory {
    long bytes;
    char kind; /* 'f' floating point, 'i' signed, 'u' unsigned */
    int size;  /* bytes of an element */
    long seed; /* of its values; -n - 1: numbers from 0 to n */
};

struct run {
    long n[3], steps;
    int fill, at_end, flushes, count; /* how values are; flush with the end of its pages; does the
                                         processor flush denormal results (1), operands (2); how
                                         many memories */
    struct memory memories[MOST_MEMORIES];
    struct {
        int memory;
        long offset;
    } arrays[MOST_MEMORIES];
};

struct function {
    int number;
    void (*call)(const long *n, long steps, void *const *arrays);
    void *statics[MOST_MEMORIES]; /* where an array is static: that */
    int nruns;
    struct run runs[MOST_RUNS];
};

/* A library has plain_functions and device_functions, and how many, plain_count. */

void outside(long); /* a call that the compiler cannot see through */

#endif
