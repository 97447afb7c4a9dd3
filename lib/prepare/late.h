/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Outputs that each step of a time loop makes: see late.c.
 */
#ifndef STENCILOPT_LATE_H
#define STENCILOPT_LATE_H

#include "prepare/shadow.h"

/* Does each step of the loop print numbers, beside its nests, and does it have no other output? */
bool prep_has_late(br_function *f, br_loop l);
/* Makes the outputs of several steps behind the last of them, in the loop with this head, in the
 * shadow. The head, or NULL: then the shadow is to be dropped. */
LLVMBasicBlockRef prep_delay_outputs(prep_shadow *s, LLVMBasicBlockRef head);

#endif
