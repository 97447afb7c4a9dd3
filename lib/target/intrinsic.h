/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Calls of LLVM's intrinsics, and functions' attributes, by name. For this folder and the folders
 * in it.
 */
#ifndef STENCILOPT_INTRINSIC_H
#define STENCILOPT_INTRINSIC_H

#include <llvm-c/Core.h>

/* Builds a call. `types` are the types that the intrinsic is overloaded by. */
LLVMValueRef tg_intrinsic(LLVMBuilderRef b, const char *name, LLVMTypeRef *types, size_t ntypes,
                          LLVMValueRef *args, unsigned nargs);
/* Builds a call of an intrinsic that has no operands and no overloads. */
LLVMValueRef tg_read(LLVMBuilderRef b, const char *name, LLVMTypeRef result);

LLVMValueRef tg_function_of(LLVMBuilderRef b); /* the function that b builds in */
LLVMTypeRef tg_i32(LLVMBuilderRef b);
LLVMValueRef tg_int32(LLVMBuilderRef b, int v);
/* `edge` in the lane at the group's end, `v` in all others. The end is the last lane, or the first
 * if the step is negative. */
LLVMValueRef tg_at_end(LLVMBuilderRef b, LLVMValueRef edge, LLVMValueRef v, LLVMValueRef lane,
                       int step, int lanes);

/* The attribute's text, which does not end with NUL. "" if the function does not have it. */
const char *tg_attribute(LLVMValueRef f, const char *name, unsigned *length);
/* The number at place `at` in the attribute's text, where commas separate numbers. 0 if there is
 * none. */
int tg_attribute_number(LLVMValueRef kernel, const char *name, int at);

#endif
