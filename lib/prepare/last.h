/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The last step of a time loop apart from the others: see last.c.
 */
#ifndef STENCILOPT_LAST_H
#define STENCILOPT_LAST_H

#include "prepare/shadow.h"

/* Does the loop sum up a number in each step, of which only the last step's is used? */
bool prep_has_last(br_function *f, br_loop l);
/* Does the loop add up floating-point numbers in an order that counts? Then the other steps are
 * better off without. */
bool prep_adds_in_order(br_loop l);
/* Parts the last step of the loop with this head from the others, in the shadow. The head of the
 * loop over these, or NULL: then the shadow is to be dropped, as where these still add up in order.
 */
LLVMBasicBlockRef prep_part_last(prep_shadow *s, LLVMBasicBlockRef head);

#endif
