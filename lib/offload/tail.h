/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The end of a time step, in regions that reduce or whose loop stops by itself. Values are as
 * lib/detect/host/reduce.c finds them. They are emitted where the number of the step and its
 * reductions are known.
 */
#ifndef STENCILOPT_TAIL_H
#define STENCILOPT_TAIL_H

#include "offload/emit.h"

/* The number of steps that is assumed for a loop that stops by itself, to estimate the cost. */
enum { TAIL_EXPECTED_STEPS = 100 };

/* Does the region reduce, or does its loop stop by itself? */
bool tail_is_checked(const rewriter *w);
/* Memory on the stack for the numbers that the loop carries from step to step: as they are in this
 * step, as they were in the step before, and as sweeps get them. NULL if the loop carries none. */
LLVMValueRef tail_emit_state(const rewriter *w);
/* The address, as an i64, of the value that scalar `number` of sweep `sweep` has in this step. */
LLVMValueRef tail_followed_at(const rewriter *w, const host_region *sweep, size_t number);
/* In the enter block: struct stencilrt_check, with memory for what the runtime stores. For a loop
 * that stops by itself it has the function that the runtime calls after each step. */
LLVMValueRef tail_emit_check(const rewriter *w);
/* After the runtime ran the region. tail_done: the number of steps made. tail_exit: the number of
 * the exit taken, from 1 on, or 0. tail_value: a value that is known after a step. */
LLVMValueRef tail_done(const rewriter *w, LLVMValueRef check);
LLVMValueRef tail_exit(const rewriter *w, LLVMValueRef check);
LLVMValueRef tail_value(const rewriter *w, LLVMValueRef check, LLVMValueRef v);

#endif
