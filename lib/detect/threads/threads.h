/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Finds how a kernel's threads are numbered: see model/threads.h.
 */
#ifndef STENCILOPT_THREADS_H
#define STENCILOPT_THREADS_H

#include "detect/kernel/index.h"
#include "model/threads.h"

/* Why the threads have no order that can be changed; or ST_OK. in_blocks: where threads work
 * together, or read what others write, they do so within their blocks, which are then what can be
 * reordered. */
st_refusal threads_find(kernel_values *values, bool in_blocks, st_threads *out);

/* Between the files of this folder. `why` gets the reason, if there is one to tell. */
bool threads_find_flat(kernel_values *values, st_flat_index *out, st_refusal *why);
bool threads_find_uses(kernel_values *values, st_flat_index *out, st_refusal *why);
void threads_find_limits(kernel_values *values, st_flat_index *f);
/* The limit of `operand < limit`, or `<=`, if that is what a comparison, or else its opposite, says
 * of its left or right operand; else NULL. */
LLVMValueRef threads_upper_limit(LLVMValueRef test, bool left, bool holds, bool *is_signed);
/* An integer; false, without a reason, if it is no polynomial. */
bool threads_poly(kernel_values *values, LLVMValueRef v, poly *out);
bool threads_refuse(st_refusal *why, const char *detail);
/* v, or the 32-bit value that v extends. */
LLVMValueRef threads_narrow(LLVMValueRef v);

#endif
