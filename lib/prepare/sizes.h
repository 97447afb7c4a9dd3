/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sizes of grids that a time loop exchanges with the grids: see sizes.c.
 */
#ifndef STENCILOPT_SIZES_H
#define STENCILOPT_SIZES_H

#include "prepare/shadow.h"

bool prep_has_sizes(br_loop l);
/* Makes a copy of the loop for sizes that are equal, in the shadow. Its head; the loop's own if it
 * exchanges none; NULL: the shadow is to be dropped. */
LLVMBasicBlockRef prep_join_sizes(prep_shadow *s, LLVMBasicBlockRef head);

#endif
