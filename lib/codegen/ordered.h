/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sums of floats in the order of the program's loops: see ordered.c.
 */
#ifndef STENCILOPT_ORDERED_H
#define STENCILOPT_ORDERED_H

#include "codegen/expr.h"

/* Stores a cell's addend at its place, an i64, in the buffer of reduction i, if there is one. The
 * builder goes on in another block. */
void gen_ordered_store(const gen_expr *e, LLVMValueRef function, LLVMValueRef reduced, size_t i,
                       LLVMValueRef place, LLVMValueRef addend);

#endif
