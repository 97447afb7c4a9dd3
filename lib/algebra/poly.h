/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Polynomials over the values of a program, modulo 2^64. They stand for addresses, strides and loop
 * starts of a region. ScalarEvolution factors the same address differently from access to access.
 * Expanded to a sum of products, equal addresses are equal.
 *
 * A polynomial is immutable and interned: equal polynomials are the same pointer, and a copy is a
 * copy of the pointer. There is no limit to its terms or their degree.
 *
 * Owner      An arena for each br_function, made with its first polynomial. poly_int and poly_atom
 *            are told the function. The other operations take the arena of their operands.
 * Lifetime   A polynomial lives until br_function_close or br_function_erase.
 *            br_function_invalidate ends the life of its atoms. The polynomial can still be read
 *            then, but no atom may be used. Polynomials made later go to a new arena.
 * Threads    Two threads may work on two br_functions. Arenas share nothing: this folder has no
 *            global state.
 * Order      Terms are ordered by their degree, then by their atoms. Atoms are ordered by when the
 *            arena first saw them. Addresses of memory decide nothing, so the same program gives
 * the same instructions in each run of the compiler.
 */
#ifndef STENCILOPT_POLY_H
#define STENCILOPT_POLY_H

#include "bridge/bridge.h"

typedef struct poly_term {
    int64_t factor; /* not 0 */
    int degree;
    const br_scev *atoms; /* repeated for powers; equal products have the same array */
} poly_term;

/* NULL is 0: cleared memory holds zeros. */
typedef const struct poly_sum *poly;

/* False for the result of an operation that would take too long, and for all that is computed from
 * such a result. An unknown polynomial equals nothing and has no terms. */
bool poly_is_known(poly a);

int poly_count(poly a); /* terms */
const poly_term *poly_terms(poly a);
/* The terms of a, and the atoms of each term, in the order of the rank that the caller gives each
 * atom. Constants come last. The result lives as long as a. */
const poly_term *poly_ranked(poly a, int (*rank)(const void *context, br_scev atom),
                             const void *context);

poly poly_int(br_function *f, int64_t value);
poly poly_atom(br_function *f, br_scev atom);
poly poly_add(poly a, poly b);
poly poly_plus(br_function *f, poly a, int64_t number);
poly poly_sub(poly a, poly b);
poly poly_mul(poly a, poly b);
poly poly_scale(poly a, int64_t factor);
/* Term number i of a, with this factor instead of its own. */
poly poly_term_as(poly a, int i, int64_t factor);
/* *quotient = a / divisor. False if a factor of a is no multiple of the divisor. */
bool poly_exact(poly a, int64_t divisor, poly *quotient);
bool poly_is_int(poly a, int64_t *value);
/* The term that has no atom; 0 if there is none, or a is not known. */
int64_t poly_constant(poly a);
/* Is a = atom + constant, or a constant? For a constant *atom is NULL. False otherwise. */
bool poly_is_shifted(poly a, br_scev *atom, int64_t *constant);
static inline bool poly_is_zero(poly a) {
    return !a;
}
static inline bool poly_equal(poly a, poly b) {
    return a == b && poly_is_known(a);
}

/* a = coefficient * atom + rest. False if a has a power of the atom. */
bool poly_split(poly a, br_scev atom, poly *coefficient, poly *rest);
/* a = whole * b + rest. No term of rest is a multiple of b, which has one term. */
bool poly_divide(poly a, poly b, poly *whole, poly *rest);
/* a = whole * b + rest for b of any number of terms. No term of rest is a multiple of b's last
 * term. */
bool poly_divide_by_sum(poly a, poly b, poly *whole, poly *rest);

/* a = whole * b exactly, for b of any number of terms. False if there is no such `whole`. */
bool poly_quotient(poly a, poly b, poly *whole);

/* Is a the stride of a slower dimension than b? A guess from the terms alone. */
bool poly_slower(poly a, poly b);

/* Solves delta = sum of k[d] * stride[d] for integers k from -limit to limit. There are `rank`
 * strides; dimension 0 is the contiguous one. A stride that is zero gets k = 0. False if there is
 * no solution. */
bool poly_decompose(poly delta, const poly *strides, int rank, int limit, int32_t *k);

#endif
