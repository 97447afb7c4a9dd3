/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Plans the kernels that keep a small grid on chip for all time steps.
 */
#ifndef STENCILOPT_PLAN_RESIDENT_H
#define STENCILOPT_PLAN_RESIDENT_H

#include "plan/time/cost.h"

/* Why the stencil gets none, in a sentence; NULL: it may. Its steps can be blocked. */
const char *resident_why_not(const st_stencil *s);
/* Adds them to the plan: some, for grids of different sizes. */
void resident_choose(st_plan *p, const st_stencil *s, const cost_gpu *g, const char *prefix);

#endif
