/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Nests that follow one another: see sequence.c.
 */
#ifndef STENCILOPT_SEQUENCE_H
#define STENCILOPT_SEQUENCE_H

#include "prepare/shadow.h"

/* Nests of which each is a sweep by itself, by the heads of their outermost loops. */
enum { PREP_MAX_NESTS = 32 };
typedef struct prep_nests {
    LLVMBasicBlockRef head[PREP_MAX_NESTS];
    int count;
} prep_nests;

/* The longest sequence that starts with nest *first or, if there is none, with a later one. *first
 * becomes the nest after that. NULL: there is none. To be freed. */
typedef struct prep_sequence prep_sequence;
prep_sequence *prep_next_sequence(br_function *f, LLVMValueRef function, const prep_nests *n,
                                  int *first);
/* In a shadow, puts a loop of one iteration around the sequence. Its branch back, on a constant, or
 * NULL. */
LLVMValueRef prep_wrap(const prep_sequence *s, const prep_shadow *in);
/* Takes such a loop away. */
void prep_unwrap(br_function *f, LLVMValueRef back);

br_loop prep_loop_at(br_function *f, LLVMBasicBlockRef head); /* with this head; or NULL */

#endif
