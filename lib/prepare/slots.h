/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Pointers and numbers of a time loop that are in memory, made values: see slots.c.
 */
#ifndef STENCILOPT_SLOTS_H
#define STENCILOPT_SLOTS_H

#include "prepare/shadow.h"

/* Does the loop, outside of loops in it, change a value at an address that stays the same? */
bool prep_has_slots(br_function *f, br_loop l);
/* Keeps such memory of the loop with this head in variables of the function, in the shadow. Returns
 * the head; or NULL, if there is no such memory. Then the shadow is to be dropped. */
LLVMBasicBlockRef prep_promote_slots(prep_shadow *s, LLVMBasicBlockRef head);

#endif
