/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a kernel written by generate.py --cuda and the driver, naive.cu, share. Kernels take
 * (out, in, extents...), out and in without aliases; the last extent is the contiguous one.
 */
#ifndef NAIVE_H
#define NAIVE_H

#define SQRT(x) sqrt(x)

struct naive_halo {
    int of[3];
};

struct naive_case {
    const char *name;
    int rank;
    naive_halo low, high;   /* slowest dimension first */
    const void *kernels[2]; /* for float and double */
    naive_case *next;
    static naive_case *first;

    naive_case(const char *name, int rank, naive_halo low, naive_halo high, const void *in_float,
               const void *in_double)
        : name(name), rank(rank), low(low), high(high), kernels{in_float, in_double}, next(first) {
        first = this;
    }
};

#endif
