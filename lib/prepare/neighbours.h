/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tables of neighbours' indices: see neighbours.c.
 */
#ifndef STENCILOPT_NEIGHBOURS_H
#define STENCILOPT_NEIGHBOURS_H

#include "prepare/shadow.h"

/* Does the loop read such tables, and is there no copy of it without them yet? */
bool prep_has_neighbours(br_function *f, br_loop l);
/* Makes a copy of the loop with this head, in the shadow, which computes the indices and runs where
 * the tables hold these. The head of the copy; NULL: the shadow is to be dropped. */
LLVMBasicBlockRef prep_guard_neighbours(prep_shadow *s, LLVMBasicBlockRef head);

#endif
