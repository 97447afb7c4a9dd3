/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Numbers that a time loop hands from step to step, for what comes behind it: see carried.c.
 */
#ifndef STENCILOPT_CARRIED_H
#define STENCILOPT_CARRIED_H

#include "prepare/shadow.h"

/* Does the loop, whose steps are counted, compute such a number for what comes behind it? */
bool prep_has_carried(br_function *f, br_loop l);
/* Has a loop behind the one with this head compute these numbers, in the shadow. The head; or
 * NULL: the shadow is to be dropped. */
LLVMBasicBlockRef prep_part_carried(prep_shadow *s, LLVMBasicBlockRef head);

#endif
