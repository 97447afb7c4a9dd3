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
