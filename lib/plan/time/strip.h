/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The plan of a 1-D stencil: strips (lib/codegen/strip/strip.c). Used by plan.c.
 */
#ifndef STENCILOPT_STRIP_H
#define STENCILOPT_STRIP_H

#include "plan/time/cost.h"

/* Appends kernels of falling degrees, and their padding, to a plan. */
void strip_choose(st_plan *p, const st_stencil *s, const plan_wish *wish, const cost_gpu *g,
                  const char *prefix);

#endif
