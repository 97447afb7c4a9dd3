/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Checks in loops that end the program where they fail, or report it: see checks.c.
 */
#ifndef STENCILOPT_CHECKS_H
#define STENCILOPT_CHECKS_H

#include "prepare/shadow.h"

/* Has the loop such checks, and no copy without them yet? */
bool prep_has_checks(br_function *f, br_loop l);
/* Is there such a copy of the loop, or of one around it? Then it stays as it is. */
bool prep_is_guarded(br_loop l);
void prep_set_guarded(br_loop l);
/* The same of the loop with this branch back. */
void prep_leave_loop(LLVMValueRef back);
/* Makes a copy without checks of the loop with this head, in the shadow, which runs where all
 * checks are known to hold. The head of the copy; NULL: the shadow is to be dropped. */
LLVMBasicBlockRef prep_guard_checks(prep_shadow *s, LLVMBasicBlockRef head);

#endif
