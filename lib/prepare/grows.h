/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Assignments in loops of vectors that grow where they are too small: see grows.c.
 */
#ifndef STENCILOPT_GROWS_H
#define STENCILOPT_GROWS_H

#include "prepare/guard.h"

/* Does one way of the branch allocate memory? *on: whether the other way is that where its
 * condition holds. */
bool prep_grows(LLVMValueRef branch, bool *on);
/* The branch at the end of the other way's block, if it compares the same number of elements. *on:
 * whether it goes on with no more elements than before where its condition holds. */
LLVMValueRef prep_grows_behind(LLVMValueRef branch, bool *on);
/* Takes the blocks out of the list to which control comes on the way alone that allocates. Returns
 * how many are left. */
size_t prep_leave_out_growth(LLVMValueRef branch, LLVMBasicBlockRef *blocks, size_t count);
/* Phis of copied blocks lose the values from blocks that were left out. */
void prep_forget_growth(LLVMBasicBlockRef *copies, size_t count);
/* Requires that what such assignments copy in these blocks are whole elements. */
void prep_copy_elements(prep_guard *g, LLVMBasicBlockRef *copies, size_t count);

#endif
