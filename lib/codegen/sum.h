/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sums of floats in a cell kernel. For the files of this folder.
 */
#ifndef STENCILOPT_SUM_H
#define STENCILOPT_SUM_H

#include "codegen/expr.h"

/* The i64 that stands for a floating-point value, or for the sum of two. 0 stands for 0.0. */
LLVMValueRef gen_sum_number(const gen_expr *e, LLVMValueRef v);
LLVMValueRef gen_sum_combine(const gen_expr *e, LLVMValueRef x, LLVMValueRef y);
/* Adds a number to the slots, of values of `size` bytes, in accumulator `which` modulo how many
 * there are. `add` adds an i64 to a slot. */
void gen_accumulate(const gen_expr *e, size_t size, LLVMValueRef slots, LLVMValueRef which,
                    LLVMValueRef number,
                    void (*add)(const gen_expr *e, LLVMValueRef slots, LLVMValueRef slot,
                                LLVMValueRef number));

#endif
