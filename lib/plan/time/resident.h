/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Plans the kernels that keep a small grid on chip for all time steps.
 */
#ifndef STENCILOPT_PLAN_RESIDENT_H
#define STENCILOPT_PLAN_RESIDENT_H

#include "plan/time/cost.h"

/* Adds resident kernels to the plan, for grids of different sizes. `always`: they run wherever the
 * grid fits. */
void resident_choose(st_plan *p, const st_stencil *s, const cost_gpu *g, bool always,
                     const char *prefix);

#endif
