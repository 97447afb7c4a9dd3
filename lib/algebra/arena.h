/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where polynomials and their products live. Both are interned: the arena looks for an equal one,
 * and makes one only if there is none.
 */
#ifndef STENCILOPT_ARENA_H
#define STENCILOPT_ARENA_H

#include "algebra/poly.h"

typedef struct poly_arena poly_arena;

struct poly_sum {
    poly_arena *arena;
    int count;
    bool known;
    uint64_t hash;
    poly_term terms[];
};

poly_arena *arena_of(br_function *f);
void *arena_allocate(poly_arena *arena, size_t size);
/* The product of these atoms, which are given in the order of their numbers. */
const br_scev *arena_product(poly_arena *arena, const br_scev *atoms, int degree);
/* The sum of these terms. They are given in order, have different products, and no factor is 0. */
poly arena_sum(poly_arena *arena, const poly_term *terms, int count);

/* The numbers of a term's atoms. */
static inline const uint32_t *arena_numbers(const poly_term *t) {
    return (const uint32_t *)(t->atoms + t->degree);
}

#endif
