/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The first step of a time loop apart from the others: see first.c.
 */
#ifndef STENCILOPT_FIRST_H
#define STENCILOPT_FIRST_H

#include "prepare/shadow.h"

/* Does the loop branch one way in its first step, and the other way in all others? */
bool prep_has_first(br_function *f, br_loop l);
/* Parts the first step of the loop with this head from the others, in the shadow. The head of the
 * loop over these, or NULL: then the shadow is to be dropped. */
LLVMBasicBlockRef prep_part_first(prep_shadow *s, LLVMBasicBlockRef head);

#endif
