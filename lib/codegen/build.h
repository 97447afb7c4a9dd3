/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Small builders that all generators share: arithmetic of coordinates and bits, addresses, vectors,
 * values of the launch, blocks. For the files of this folder.
 */
#ifndef STENCILOPT_CODEGEN_BUILD_H
#define STENCILOPT_CODEGEN_BUILD_H

#include "codegen/expr.h"

/* Integers. gen_add32 and gen_times32 are of i32. */
LLVMValueRef gen_add32(const gen_expr *e, LLVMValueRef a, int b);
LLVMValueRef gen_times32(const gen_expr *e, LLVMValueRef a, int b);
LLVMValueRef gen_widen(const gen_expr *e, LLVMValueRef v);  /* unsigned i32 to i64 */
LLVMValueRef gen_extend(const gen_expr *e, LLVMValueRef v); /* signed i32 to i64 */
/* Signed comparisons: an i1, or one of both values. */
LLVMValueRef gen_less(const gen_expr *e, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef gen_smaller(const gen_expr *e, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef gen_greater(const gen_expr *e, LLVMValueRef a, LLVMValueRef b);
/* i1; either may be NULL, which is true. */
LLVMValueRef gen_both(const gen_expr *e, LLVMValueRef a, LLVMValueRef b);
/* i32: bit `number` alone where the condition holds, else 0. */
LLVMValueRef gen_bit_if(const gen_expr *e, LLVMValueRef condition, int number);

/* Addresses */
LLVMTypeRef gen_byte(const gen_expr *e);
LLVMValueRef gen_element(const gen_expr *e, LLVMTypeRef type, LLVMValueRef array, LLVMValueRef i);
LLVMValueRef gen_bytes_on(const gen_expr *e, LLVMValueRef pointer, LLVMValueRef bytes);

/* Takes a vector apart, and makes one. */
void gen_split(const gen_expr *e, LLVMValueRef vector, int count, LLVMValueRef *out);
LLVMValueRef gen_join(const gen_expr *e, LLVMTypeRef vector, int count, LLVMValueRef const *v);

/* A load and a store with their alignment in bytes. */
LLVMValueRef gen_load(const gen_expr *e, LLVMTypeRef type, LLVMValueRef from, size_t alignment);
void gen_store(const gen_expr *e, LLVMValueRef v, LLVMValueRef to, size_t alignment);

/* A value of the launch as an i64. */
LLVMValueRef gen_launch(const gen_expr *e, tg_launch_value value, int d);

/* A block at the function's end. */
LLVMBasicBlockRef gen_add_block(LLVMValueRef function, const char *name);
/* Opens a block that runs if the condition holds. Returns the block named `after`, where gen_end_if
 * goes on. */
LLVMBasicBlockRef gen_begin_if(const gen_expr *e, LLVMValueRef function, LLVMValueRef condition,
                               const char *name, const char *after);
void gen_end_if(const gen_expr *e, LLVMBasicBlockRef after);

#endif
