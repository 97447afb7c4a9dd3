/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A time loop for one choice of what does not change in it: see modes.c.
 */
#ifndef STENCILOPT_MODES_H
#define STENCILOPT_MODES_H

#include "prepare/shadow.h"

/* Does the loop choose among sweeps, or check something, beside them? */
bool prep_has_modes(br_function *f, br_loop l);
/* Makes a copy of the loop with this head, in the shadow, for one choice. The head of the copy, or
 * `head` if there is nothing to choose. NULL: the shadow is to be dropped. */
LLVMBasicBlockRef prep_choose_modes(prep_shadow *s, LLVMBasicBlockRef head);
/* Gives the branch in front of a copy of the loop a place in the source, by which remarks find the
 * copy: the loop's, if it has none. */
void prep_place(LLVMValueRef in_front, br_loop l);
/* Does the loop divide the distance of rows, as in flang's version of a loop for arrays without
 * gaps (quotients.h)? prep_choose_modes makes a copy without such divisions, too. */
bool prep_has_quotients(br_function *f, br_loop l);

#endif
