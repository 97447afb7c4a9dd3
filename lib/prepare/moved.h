/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Allocatable arrays that a time loop swaps by move_alloc: see moved.c.
 */
#ifndef STENCILOPT_MOVED_H
#define STENCILOPT_MOVED_H

#include "prepare/shadow.h"

/* Does the loop swap arrays so in each step? */
bool prep_has_moved(br_function *f, br_loop l);
/* Makes a copy of the loop that swaps them itself, in the shadow. Its head; NULL: the shadow is to
 * be dropped. */
LLVMBasicBlockRef prep_swap_moved(prep_shadow *s, LLVMBasicBlockRef head);

#endif
