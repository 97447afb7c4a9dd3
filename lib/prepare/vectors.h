/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Calls that assign std::vectors, replaced by copies: see vectors.c.
 */
#ifndef STENCILOPT_VECTORS_H
#define STENCILOPT_VECTORS_H

#include "prepare/shadow.h"

/* Does each step of the loop call the assignment of a vector of numbers, or of a vector of such
 * vectors? And is there no copy of the loop without the call yet? */
bool prep_has_assigned(br_function *f, br_loop l);
/* Makes a copy of the time loop with this head, in the shadow, which copies the elements. The head
 * of the copy; NULL: the shadow is to be dropped. */
LLVMBasicBlockRef prep_guard_assigned(prep_shadow *s, LLVMBasicBlockRef head);

#endif
