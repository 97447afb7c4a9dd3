/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loops over every other cell of a row become loops over all cells with a condition: masks.c.
 */
#ifndef STENCILOPT_MASKS_H
#define STENCILOPT_MASKS_H

#include "bridge/bridge.h"

/* Is there such a loop, each row of which begins one cell to the side of the row before, among those
 * that `of` dominates, or in a loop that holds several rows? */
bool prep_has_rows(br_function *f, LLVMBasicBlockRef of);
bool prep_loop_has_rows(br_function *f, br_loop l);
/* Changes all such loops among those that `of` dominates. False: one of them cannot be changed; the
 * function is then to be dropped.
 */
bool prep_mask_rows(br_function *f, LLVMBasicBlockRef of);

#endif
