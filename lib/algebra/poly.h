/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Polynomials over loop-invariant values, modulo 2^64: what addresses, strides and loop starts
 * of a region are made of. ScalarEvolution factors the same address differently from access to
 * access; expanded to a sum of products, equal addresses are equal.
 */
#ifndef STENCILOPT_POLY_H
#define STENCILOPT_POLY_H

#include "bridge/bridge.h"

enum { POLY_ATOMS = 6, POLY_TERMS = 24 };

typedef struct poly_term {
    int64_t factor; /* not 0 */
    int degree;
    br_scev atoms[POLY_ATOMS]; /* in the order in which they were first seen; repeated for powers */
} poly_term;

/* A value: two may share their terms, which never change. These live until poly_release. */
typedef struct poly {
    const poly_term *terms;
    int count;
    bool overflow; /* too large to represent: equal to nothing */
} poly;

/* All terms of the thread's polynomials go: after a function was looked at. */
void poly_release(void);

poly poly_of_term(const poly_term *t);
/* Of so many terms, at most POLY_TERMS, of different products, in this order. */
poly poly_of_terms(const poly_term *terms, int count, bool overflow);

poly poly_int(int64_t value);
poly poly_atom(br_scev atom);
poly poly_add(const poly *a, const poly *b);
poly poly_sub(const poly *a, const poly *b);
poly poly_mul(const poly *a, const poly *b);
poly poly_scale(const poly *a, int64_t factor);
bool poly_is_zero(const poly *a);
bool poly_is_int(const poly *a, int64_t *value);
bool poly_equal(const poly *a, const poly *b);

/* The same sum, its terms and their atoms by the rank that the caller gives atoms, constants last.
 * For when the order must not depend on the order in which atoms were seen. */
poly poly_ranked(const poly *a, int (*rank)(const void *context, br_scev atom),
                 const void *context);

/* a = coefficient * atom + rest. False if a has a power of the atom. */
bool poly_split(const poly *a, br_scev atom, poly *coefficient, poly *rest);
/* a = whole * b + rest, where every term of rest is no multiple of b; b of one term. */
bool poly_divide(const poly *a, const poly *b, poly *whole, poly *rest);

/* a = whole * b exactly, b of any number of terms; false if it is not. */
bool poly_quotient(const poly *a, const poly *b, poly *whole);

/* Is a the stride of a slower dimension than b, as far as that can be told? */
bool poly_slower(const poly *a, const poly *b);

/* Solves delta = sum of k[d] * stride[d] for small integers k: -limit..limit. `rank` strides,
 * dimension 0 the contiguous one. Strides that are zero get k = 0. False if there is no solution.
 */
bool poly_decompose(const poly *delta, const poly *strides, int rank, int limit, int32_t *k);

#endif
