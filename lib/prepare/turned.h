/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A time loop that is also left in front of its sweeps: see turned.c.
 */
#ifndef STENCILOPT_TURNED_H
#define STENCILOPT_TURNED_H

#include "prepare/shadow.h"

/* Is the loop left by its head and by its last block? */
bool prep_has_front_exit(br_function *f, br_loop l);
/* Moves the test in the head of the loop with this head, in the shadow, behind its sweeps. The
 * loop's head afterwards; NULL: the shadow is to be dropped. */
LLVMBasicBlockRef prep_turn_loop(prep_shadow *s, LLVMBasicBlockRef head);

#endif
