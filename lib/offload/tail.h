/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The end of a time step, of regions with reductions or whose loop stops by itself: values as
 * lib/detect/host/reduce.c knows them, emitted where the step's number and reductions are at hand.
 */
#ifndef STENCILOPT_TAIL_H
#define STENCILOPT_TAIL_H

#include "offload/emit.h"

enum { TAIL_EXPECTED_STEPS = 100 }; /* of a loop that stops by itself: for the cost alone */

/* Is the region one of these? */
bool tail_is_checked(const rewriter *w);
/* Room, on the stack, for the numbers that the loop carries from step to step, as they are in this
 * step and as they were in the one before, and for what sweeps get of them in this step. NULL: no
 * need. */
LLVMValueRef tail_emit_state(const rewriter *w);
/* The address, as an i64, of what scalar `number` of sweep `sweep` is in this step. */
LLVMValueRef tail_followed_at(const rewriter *w, const host_region *sweep, size_t number);
/* In the enter block: struct stencilrt_check, with room for what the runtime stores there; and, for
 * a loop that stops by itself, the function that the runtime asks. */
LLVMValueRef tail_emit_check(const rewriter *w);
/* After the runtime ran it: how many steps it made, by which exit it ended, from 1 on, or 0, and
 * what a value known after a step is then. */
LLVMValueRef tail_done(const rewriter *w, LLVMValueRef check);
LLVMValueRef tail_exit(const rewriter *w, LLVMValueRef check);
LLVMValueRef tail_value(const rewriter *w, LLVMValueRef check, LLVMValueRef v);

#endif
