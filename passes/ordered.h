/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What stencil-remap and stencil-block do for each other: a kernel that was reordered can be
 * blocked, and one that was blocked reordered.
 */
#ifndef STENCILOPT_PASSES_ORDERED_H
#define STENCILOPT_PASSES_ORDERED_H

#include "detect/kernel/index.h"
#include "model/refusal.h"
#include "model/threads.h"
#include "plan/order/order.h"

/* Was the kernel blocked? */
bool ordered_is_blocked(LLVMValueRef kernel);
void ordered_mark_blocked(LLVMValueRef kernel);
/* Why the kernel's threads have no order that can be changed, or ST_OK; *out is how they are
 * numbered. */
st_refusal ordered_find(kernel_values *values, st_threads *out);
/* Keeps the kernel's body before it is reordered. */
void ordered_keep(br_function *f, LLVMValueRef kernel);
/* Gives the kernel the body that was kept. False if none was; else *plan is its order. */
bool ordered_undo(br_function *f, LLVMValueRef kernel, order_plan *plan);
/* Gives the kernel this order again. */
st_refusal ordered_redo(br_function *f, LLVMValueRef kernel, const order_plan *plan);
/* Removes the bodies that were kept in the module. Were there any? */
bool ordered_forget(LLVMModuleRef m);

#endif
