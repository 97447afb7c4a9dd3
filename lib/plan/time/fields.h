/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Plans the kernels that keep several small grids on chip for all time steps of several sweeps.
 */
#ifndef STENCILOPT_PLAN_FIELDS_H
#define STENCILOPT_PLAN_FIELDS_H

#include "model/dependences.h"
#include "plan/time/cost.h"

/* Adds resident kernels to the plan of a step that can be taken whole, for grids of different
 * sizes, as far as sizes are not known. */
void fields_choose(st_plan *p, const st_step *step, const cost_gpu *g, const plan_wish *wish,
                   const char *prefix);
/* The type of all arrays that such a step hands on. */
st_type fields_type(const st_step *step);
/* Cells along d that a step loses at either side of a tile. */
int fields_reach(const st_step *step, const st_dependences *d, int dim);

#endif
