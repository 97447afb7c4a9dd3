/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Calls of sweeps in a time loop, replaced by the sweeps: see calls.c.
 */
#ifndef STENCILOPT_PREPARE_CALLS_H
#define STENCILOPT_PREPARE_CALLS_H

#include "prepare/shadow.h"

/* Does the loop call a function that makes a sweep, and that may be put in the call's place? */
bool prep_calls_sweeps(br_function *f, br_loop l);
/* Puts the bodies of such functions in place of their calls, in the loop with this head, in the
 * shadow. The head, or NULL: then the shadow is to be dropped. */
LLVMBasicBlockRef prep_inline_calls(prep_shadow *s, LLVMBasicBlockRef head);

#endif
