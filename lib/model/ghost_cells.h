/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a step with copies to ghost cells makes of each cell near a face. For ghosts.c.
 */
#ifndef STENCILOPT_GHOST_CELLS_H
#define STENCILOPT_GHOST_CELLS_H

#include "model/step.h"

/* With step->ghosts.copies and .margin given: finds `first`, `last` and `least`. False: the step is
 * not the same as one whose indices come round. */
bool st_ghosts_follow(st_step *step);
/* The sweep's domain by the cells that it writes, as low and high of st_sweep. */
void st_ghosts_domain(const st_sweep *w, int d, int32_t *low, int32_t *high);
/* Do cells outside the window lie along d? */
bool st_ghosts_round(const st_step *step, int d);
/* Is there memory of its own for the level, beside the one that the step begins with? */
int st_ghosts_turn(const st_step *step, int32_t array, int32_t level);

#endif
