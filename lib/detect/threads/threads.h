/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Finds how a kernel's threads are numbered: see model/threads.h.
 */
#ifndef STENCILOPT_THREADS_H
#define STENCILOPT_THREADS_H

#include "detect/kernel/region.h"
#include "model/threads.h"

/* False with a reason in k->region, which needs no stencil; where it has one, it says what rows
 * are if nothing divides the flat index. */
bool threads_find(kernel_region *k, threads_form *out);

/* Between the files of this folder. */
bool threads_find_flat(kernel_region *k, threads_flat *out);
bool threads_find_uses(kernel_region *k, threads_flat *out);
void threads_find_limits(kernel_region *k, threads_flat *f);
/* The limit of `operand < limit`, or `<=`, if that is what a comparison, or else its opposite, says
 * of its left or right operand; else NULL. */
LLVMValueRef threads_upper_limit(LLVMValueRef test, bool left, bool holds, bool *is_signed);
/* kernel_number, which here is only a question. */
bool threads_poly(kernel_region *k, LLVMValueRef v, poly *out);
bool threads_refuse(kernel_region *k, const char *detail);
/* The value that v is, seen through extensions from 32 bits. */
LLVMValueRef threads_narrow(LLVMValueRef v);

#endif
