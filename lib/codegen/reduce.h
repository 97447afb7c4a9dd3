/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reductions in kernels. For the files of this folder.
 */
#ifndef STENCILOPT_REDUCE_H
#define STENCILOPT_REDUCE_H

#include "codegen/expr.h"

/* The i64 that stands for a cell's value v, of type t. 0 stands for none. */
LLVMValueRef gen_reduced_number(const gen_expr *e, const st_reduction *r, st_type t,
                                LLVMValueRef v);
/* A thread with several cells joins their values first: the type of what it holds, a value that
 * leaves the result as it is, two values joined (y may be a cell's), and the number that stands for
 * what it holds. */
st_type gen_held_type(const st_stencil *s, size_t i);
LLVMValueRef gen_held_none(const gen_expr *e, const st_stencil *s, size_t i);
LLVMValueRef gen_held_join(const gen_expr *e, const st_stencil *s, size_t i, LLVMValueRef x,
                           LLVMValueRef y);
LLVMValueRef gen_held_number(const gen_expr *e, const st_stencil *s, size_t i, LLVMValueRef v);
/* Combines 32 lanes' numbers of reduction i into one, which the first lane gets. */
LLVMValueRef gen_reduce_lanes(const gen_expr *e, const st_stencil *s, size_t i,
                              LLVMValueRef number);
/* The slot, an i32, of the 32 lanes that include the block's thread of this number. */
LLVMValueRef gen_reduce_slot(const gen_expr *e, LLVMValueRef thread, const int block[3]);
/* Adds a number of reduction i to one of its slots. */
void gen_reduce_add(const gen_expr *e, const st_stencil *s, size_t i, LLVMValueRef slots,
                    LLVMValueRef slot, LLVMValueRef number);
/* Where all threads of the block are, of so many: adds their numbers, one a reduction, to what
 * `reduced` points to, and returns from the kernel. NULL: the reduction has no number. */
void gen_reduce(const gen_expr *e, LLVMValueRef function, const st_stencil *s, const int block[3],
                LLVMValueRef reduced, LLVMValueRef *numbers);

#endif
