/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Calls of LLVM's intrinsics, and functions' attributes, by name; between the files of this folder
 * and those in it.
 */
#ifndef STENCILOPT_INTRINSIC_H
#define STENCILOPT_INTRINSIC_H

#include <llvm-c/Core.h>

/* `types`: those that the intrinsic is overloaded by. */
LLVMValueRef tg_intrinsic(LLVMBuilderRef b, const char *name, LLVMTypeRef *types, size_t ntypes,
                          LLVMValueRef *args, unsigned nargs);
/* One without operands, that is declared by its name. */
LLVMValueRef tg_read(LLVMBuilderRef b, const char *name, LLVMTypeRef result);

LLVMValueRef tg_function_of(LLVMBuilderRef b); /* that b builds in */
LLVMTypeRef tg_i32(LLVMBuilderRef b);
LLVMValueRef tg_int32(LLVMBuilderRef b, int v);
/* `edge` in the lane at the end of the group: the last one, or, with a step below 0, the first. */
LLVMValueRef tg_at_end(LLVMBuilderRef b, LLVMValueRef edge, LLVMValueRef v, LLVMValueRef lane,
                       int step, int lanes);

/* The attribute's text, which is not "\0"-terminated; "" if there is none. */
const char *tg_attribute(LLVMValueRef f, const char *name, unsigned *length);
/* Number `at` of the attribute's, which have commas between; 0 if there is none. */
int tg_attribute_number(LLVMValueRef kernel, const char *name, int at);

#endif
