/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Plans the kernels that keep a small grid on chip for all time steps.
 */
#ifndef STENCILOPT_PLAN_RESIDENT_H
#define STENCILOPT_PLAN_RESIDENT_H

#include "plan/time/cost.h"

/* Adds resident kernels to the plan, for grids of different sizes, as far as sizes are not known.
 * `reduces`: each step's reductions decide about the next step. */
void resident_choose(st_plan *p, const st_stencil *s, const cost_gpu *g, const plan_wish *wish,
                     const char *prefix, bool reduces);

#endif
