/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Nests that follow one another: see sequence.c.
 */
#ifndef STENCILOPT_SEQUENCE_H
#define STENCILOPT_SEQUENCE_H

#include "prepare/shadow.h"

/* Nests that may be sweeps, in the program's order, by the heads of their outermost loops. */
enum { PREP_MAX_NESTS = 128 };
typedef struct prep_nests {
    LLVMBasicBlockRef head[PREP_MAX_NESTS];
    bool alone[PREP_MAX_NESTS]; /* no region as it is: may be one in a step of its own */
    bool holds[PREP_MAX_NESTS]; /* no region: those in its outermost loop may be some */
    int count;
} prep_nests;

/* The longest sequence that starts with nest `first` and ends before nest `end`; how many nests it
 * has: 0 if there is none. Puts a loop of one iteration around it, whose branch back, on a
 * constant, is *back; NULL if that cannot be. */
int prep_wrap(br_function *f, LLVMValueRef function, const prep_nests *n, int first, int end,
              LLVMValueRef *back);
/* Takes such a loop away. */
void prep_unwrap(br_function *f, LLVMValueRef back);

/* The one block from which control comes into the loop; or NULL. */
LLVMBasicBlockRef prep_entering_block(LLVMValueRef function, br_loop l);
br_loop prep_loop_at(br_function *f, LLVMBasicBlockRef head); /* with this head; or NULL */
/* The loops in `l`, which is one of them; if it is NULL, those that `of` dominates. Returns their
 * number; *loops is to be freed. */
size_t prep_loops_there(br_function *f, br_loop l, LLVMBasicBlockRef of, br_loop **loops);
/* The same loop, after it has got a block of its own in front, *before. NULL: it cannot have one.
 */
br_loop prep_prepared_loop(br_function *f, LLVMBasicBlockRef head, LLVMBasicBlockRef *before);
/* How often the loop goes back to its head, in 64 bits, before an instruction in front of the loop
 * `around`. NULL: that is not known there. Sets the builder to that place. */
LLVMValueRef prep_build_repeats(br_function *f, br_loop l, br_loop around, LLVMValueRef before,
                                LLVMBuilderRef b);

#endif
