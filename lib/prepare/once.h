/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a time loop does once, and remembers in memory that it has done: see once.c.
 */
#ifndef STENCILOPT_ONCE_H
#define STENCILOPT_ONCE_H

#include "prepare/shadow.h"

/* Does the loop have such work beside its nests? */
bool prep_has_once(br_function *f, br_loop l);
/* Makes a copy of the loop with this head, in the shadow, which runs where the work is done. The
 * head of the copy; NULL: the shadow is to be dropped. */
LLVMBasicBlockRef prep_choose_done(prep_shadow *s, LLVMBasicBlockRef head);

#endif
