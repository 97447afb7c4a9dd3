/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Conditions in front of a loop that stand for tests in all its iterations: see guard.c.
 */
#ifndef STENCILOPT_GUARD_H
#define STENCILOPT_GUARD_H

#include "bridge/bridge.h"

enum { GUARD_MAX_LOOPS = 4 };

typedef struct prep_guard {
    br_function *f;
    br_loop l;
    LLVMValueRef in_front; /* the conditions come before this instruction */
    LLVMBuilderRef b;
    LLVMTypeRef wide; /* of 128 bits */
    LLVMValueRef all; /* all conditions so far; or NULL */
    /* The loops whose counters are in what is compared now, and the counters' last numbers. */
    br_loop loop[GUARD_MAX_LOOPS];
    LLVMValueRef back[GUARD_MAX_LOOPS];
    int loops;
    int turn;          /* the time step whose values are looked at */
    bool settled;      /* it is the first step, or any other one */
    LLVMValueRef base; /* where an array that goes round is, of which addresses are; or NULL */
} prep_guard;

/* What does not change in the loop, in front of it, as a signed number of g->wide. NULL: it is not
 * known there. */
LLVMValueRef prep_guard_number(prep_guard *g, br_scev s);
/* Requires that the condition, in the loop, is always `holds`. False: that is no comparison, or
 * several, of sums of multiples of the loops' counters. */
bool prep_guard_holds(prep_guard *g, LLVMValueRef condition, bool holds);
/* Requires that two loads or stores have no byte in common, in whatever iterations. */
bool prep_guard_apart(prep_guard *g, LLVMValueRef access, LLVMValueRef other);
/* Requires that a store in the loop stores no byte from *low to before *high, numbers of g->wide.
 */
bool prep_guard_outside(prep_guard *g, LLVMValueRef store, LLVMValueRef low, LLVMValueRef high);
/* Requires that a number, which does not change in the loop, is a multiple of that power of two.
 * Returns it as one. */
LLVMValueRef prep_guard_multiple(prep_guard *g, LLVMValueRef number, uint64_t power);
/* Requires that it is equal to another one, which is a number where the pointer is not null, and
 * can be computed in front of the loop. Returns that; NULL: it cannot be. */
LLVMValueRef prep_guard_equal(prep_guard *g, LLVMValueRef number, LLVMValueRef other,
                              LLVMValueRef pointer);
/* Requires that no iteration writes what is loaded in front of the loop. False: something that is
 * no store may write there, or a store to an address that is no such sum. */
bool prep_guard_unchanged(prep_guard *g, LLVMValueRef load);

#endif
