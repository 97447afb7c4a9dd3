/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A time loop with outputs between its sweeps: see between.c.
 */
#ifndef STENCILOPT_BETWEEN_H
#define STENCILOPT_BETWEEN_H

#include "prepare/shadow.h"

/* Does the loop make outputs between its sweeps, and is it known at the start of a step whether the
 * step makes one? */
bool prep_has_between(br_function *f, LLVMValueRef function, br_loop l);
/* Cuts the loop with this head, as prep_cut_pieces does. The head of the loop over a piece's steps,
 * or NULL. */
LLVMBasicBlockRef prep_cut_between(prep_shadow *s, LLVMBasicBlockRef head);

#endif
