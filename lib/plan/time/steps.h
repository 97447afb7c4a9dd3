/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Plans of whole time steps (lib/codegen/steps/steps.c).
 */
#ifndef STENCILOPT_PLAN_STEPS_H
#define STENCILOPT_PLAN_STEPS_H

#include "model/dependences.h"
#include "plan/time/cost.h"

/* The kernels for a step: one of the best degree, or of the degree that was asked for, and kernels
 * of half the degree, a quarter, and so on. If no degree is predicted to be faster than a kernel
 * for each sweep, there are none, and *why says so in a sentence. */
st_plan plan_steps(const st_step *step, const plan_wish *wish, const char *arch, const char *prefix,
                   const char **why);

/* Seconds a cell, with a kernel for each sweep. */
double steps_time_of_sweeps(const st_step *step, const cost_gpu *g);

/* The best kernel that makes a part of a step (model/part.h): its rate, 0 if there is none. Its
 * pads are joined to those of `pads`. */
double steps_plan_part(const st_step *part, const plan_wish *wish, const cost_gpu *g, st_kernel *k,
                       st_plan *pads);

#endif
