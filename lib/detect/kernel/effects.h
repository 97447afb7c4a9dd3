/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a kernel does to memory and to other threads. Reads: its instructions. Hands on: its stores.
 */
#ifndef STENCILOPT_KERNEL_EFFECTS_H
#define STENCILOPT_KERNEL_EFFECTS_H

#include "bridge/bridge.h"
#include "model/refusal.h"

/* Called for each instruction of a kernel, until one is refused. */
typedef bool kernel_check(void *context, LLVMValueRef instruction, st_refusal *why);
bool kernel_check_each(LLVMValueRef function, kernel_check *check, void *context, st_refusal *why);
/* Does each thread run on its own: no cooperation, no atomics, no unknown calls? */
bool kernel_check_alone(LLVMValueRef function, st_refusal *why);
/* Finds the kernel's stores: at least one, and at most *count, which gets their number. */
bool kernel_find_stores(LLVMValueRef function, LLVMValueRef *stores, int *count, st_refusal *why);
/* Are there no jumps into loops, at most two loops, and is each loop around the store? */
bool kernel_check_flow(br_function *f, LLVMValueRef store, st_refusal *why);
/* Refuses a loop of which only the launch tells how often it runs. */
bool kernel_refuse_count(br_function *f, br_loop l, st_refusal *why);

#endif
