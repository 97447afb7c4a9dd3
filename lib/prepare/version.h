/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Copies of loops for certain values of numbers: see version.c.
 */
#ifndef STENCILOPT_VERSION_H
#define STENCILOPT_VERSION_H

#include "model/fixed_limits.h"
#include "prepare/shadow.h"

enum { PREP_MAX_FIXED = 8, PREP_VERSION_BLOCKS = ST_LIMIT(128, 8) };

/* In the copy the number `key` is `is` + more. Both are there in front of the loop. */
typedef struct prep_fixed {
    LLVMValueRef key, is;
    int64_t more;
} prep_fixed;

/* Gives the outermost loop with this head such a copy, in a shadow, and simplifies it. `count`: 1
 * to PREP_MAX_FIXED. False: it cannot have one. */
bool prep_copy_fixed(prep_shadow *s, LLVMBasicBlockRef head, const prep_fixed *fixed, int count);
/* The same for blocks that are a copy already, `nblocks` of them, to which control comes only if
 * the condition holds that is returned. It is built in front of `mark`; what is computed of the
 * values, in front of `in_front`. */
LLVMValueRef prep_fix_values(const LLVMBasicBlockRef *blocks, size_t nblocks,
                             const prep_fixed *fixed, int count, LLVMValueRef mark,
                             LLVMValueRef in_front);

#endif
