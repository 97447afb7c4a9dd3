/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A shadow: a copy of a function in which control flow may be changed so that detection can look at
 * it. It is made for one candidate and then adopted or dropped, once.
 */
#ifndef STENCILOPT_SHADOW_H
#define STENCILOPT_SHADOW_H

#include "bridge/bridge.h"

typedef struct prep_shadow {
    br_function *f; /* NULL: there is none */
    LLVMValueRef function;
    LLVMBasicBlockRef body; /* the first block of what was the function's body */
    bool initial;           /* a kernel's, in which tables have their initial values (initial.h) */
    bool windows;           /* a kernel's, with loops that windows.c opened */
    bool powers;            /* a kernel's, in which sizes are powers of two (powers.h) */
} prep_shadow;

/* False, without a shadow, if a copy of the function would not do the same: see br_may_copy. */
bool prep_make_shadow(prep_shadow *s, br_function *f);
/* The function takes the shadow's blocks, but keeps its own body where these go to `body` and that
 * is no longer their first. What was known of the function no longer holds. */
void prep_adopt_shadow(prep_shadow *s, br_function *f);
/* Puts a test in front of the shadow, whose other way leads to the function's own body: a builder at
 * the end of the test. prep_end_test makes the branch, once it is known what must hold. */
LLVMBuilderRef prep_begin_test(prep_shadow *s, const char *name, const char *others);
void prep_end_test(prep_shadow *s, LLVMBuilderRef b, LLVMValueRef holds);
/* Is the block still in the function? */
bool prep_has_block(LLVMValueRef function, LLVMBasicBlockRef block);
/* Runs LLVM's passes on a function that is changed in a shadow, as opt's text names them. False:
 * they cannot be run. */
bool prep_run_passes(LLVMValueRef function, const char *passes);
/* What a body needs that took the place of a call: values instead of memory, and out of loops what
 * does not change there. */
bool prep_clean_up(LLVMValueRef function);
/* The value that comes by the block, which is likely to be the one of that number: LLVM lists the
 * blocks of phis alike, and there may be hundreds. NULL: none does. equal.c */
LLVMValueRef prep_value_from(LLVMValueRef phi, LLVMBasicBlockRef from, unsigned likely);
/* Merges phis that are always equal. equal.c */
void prep_merge_phis(LLVMValueRef function);
/* What a copy of a loop needs in which branches were decided. False: the loop's head is no more. */
bool prep_simplify(prep_shadow *s, LLVMBasicBlockRef head);
/* To be called also after the shadow was adopted, and if there is none. */
void prep_drop_shadow(prep_shadow *s);

#endif
