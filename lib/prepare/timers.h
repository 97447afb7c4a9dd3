/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A time loop that reads clocks: see timers.c.
 */
#ifndef STENCILOPT_TIMERS_H
#define STENCILOPT_TIMERS_H

#include "prepare/shadow.h"

/* Does the loop read a clock beside its nests, only to sum times up? */
bool prep_has_timers(br_function *f, br_loop l);
/* Reads such clocks in front of the loop with this head and behind it, in the shadow. The head, or
 * NULL: then the shadow is to be dropped. */
LLVMBasicBlockRef prep_read_timers(prep_shadow *s, LLVMBasicBlockRef head);
/* Does the instruction read a clock, and write nothing to the memory with this base? */
bool prep_is_clock_beside(LLVMValueRef i, LLVMValueRef base);

#endif
