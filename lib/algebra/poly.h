/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Polynomials over the values of a program, modulo 2^64: addresses, strides and loop starts of a
 * region. ScalarEvolution factors the same address differently from access to access. Expanded to a
 * sum of products, equal addresses are equal.
 *
 * A polynomial is immutable and interned: equal polynomials are the same pointer, and a copy is a
 * copy of the pointer. There is no limit to its terms or their degree.
 *
 * Owner      An arena for each br_function, made with its first polynomial. poly_int and poly_atom
 *            are told the function; the other operations take the arena of their operands.
 * Lifetime   A polynomial lives until br_function_close or br_function_erase.
 *            br_function_invalidate ends the life of its atoms: it can then be read, but no atom of
 *            it may be asked anything. What is made after it goes to a new arena.
 * Threads    Two threads may work on two br_functions. Nothing is shared between arenas: this
 *            folder has no state of its own.
 * Order      The terms of a polynomial are in the order of their degree, then of their atoms, and
 *            atoms are in the order in which the arena saw them first. No address decides: the same
 *            program gives the same instructions in each run of the compiler.
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

/* Of an operation that would take too long, and of all that is made of its result: equal to
 * nothing, without terms. */
bool poly_is_known(poly a);

int poly_count(poly a); /* terms */
const poly_term *poly_terms(poly a);
/* The terms, and the atoms of each, by the rank that the caller gives atoms; constants last. Lives
 * as long as a does. */
const poly_term *poly_ranked(poly a, int (*rank)(const void *context, br_scev atom),
                             const void *context);

poly poly_int(br_function *f, int64_t value);
poly poly_atom(br_function *f, br_scev atom);
poly poly_add(poly a, poly b);
poly poly_plus(br_function *f, poly a, int64_t number);
poly poly_sub(poly a, poly b);
poly poly_mul(poly a, poly b);
poly poly_scale(poly a, int64_t factor);
/* Term number i with this factor. */
poly poly_term_as(poly a, int i, int64_t factor);
/* a / divisor; false if a factor is no multiple of it. */
bool poly_exact(poly a, int64_t divisor, poly *quotient);
bool poly_is_int(poly a, int64_t *value);
/* a = atom + constant; or a constant: *atom is NULL then. False if it is neither. */
bool poly_is_shifted(poly a, br_scev *atom, int64_t *constant);
static inline bool poly_is_zero(poly a) {
    return !a;
}
static inline bool poly_equal(poly a, poly b) {
    return a == b && poly_is_known(a);
}

/* a = coefficient * atom + rest. False if a has a power of the atom. */
bool poly_split(poly a, br_scev atom, poly *coefficient, poly *rest);
/* a = whole * b + rest, where every term of rest is no multiple of b; b of one term. */
bool poly_divide(poly a, poly b, poly *whole, poly *rest);
/* Likewise of b of any number of terms: no term of rest is a multiple of b's last one. */
bool poly_divide_by_sum(poly a, poly b, poly *whole, poly *rest);

/* a = whole * b exactly, b of any number of terms; false if it is not. */
bool poly_quotient(poly a, poly b, poly *whole);

/* Is a the stride of a slower dimension than b, as far as that can be told? */
bool poly_slower(poly a, poly b);

/* Solves delta = sum of k[d] * stride[d] for small integers k: -limit..limit. `rank` strides,
 * dimension 0 the contiguous one. Strides that are zero get k = 0. False if there is no solution.
 */
bool poly_decompose(poly delta, const poly *strides, int rank, int limit, int32_t *k);

#endif
