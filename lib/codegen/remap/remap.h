/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A kernel's threads in another order, in place: each thread does the work of another thread. The
 * work itself stays as it is. All threads test at the entry whether the launch's sizes allow the
 * new order; if not, each does its own work.
 */
#ifndef STENCILOPT_REMAP_H
#define STENCILOPT_REMAP_H

#include "model/threads.h"
#include "plan/order/order.h"

/* Can what the order needs be computed where the kernel starts? */
bool remap_possible(const st_threads *t);
void remap_kernel(LLVMValueRef function, const st_threads *t, const order_plan *plan);

/* Was the kernel given an order already? */
bool remap_is_done(LLVMValueRef function);
/* Which one; false if none. */
bool remap_order_of(LLVMValueRef function, order_plan *out);
/* Forgets the order: the kernel got back the body that it had before. */
void remap_forget(LLVMValueRef function);

/* Between the files of this folder. */
void remap_flat(LLVMValueRef function, const st_flat_index *t, const order_plan *plan);
void remap_blocks(LLVMValueRef function, const st_threads *t, const order_plan *plan);
/* A new first block, which goes to the old one; b is before its end. */
LLVMBasicBlockRef remap_open(LLVMBuilderRef b, LLVMValueRef function);
bool remap_can_copy(LLVMValueRef v);
/* A copy of the value, computed by b from what the kernel is launched with. */
LLVMValueRef remap_copy(LLVMBuilderRef b, LLVMValueRef v);

#endif
