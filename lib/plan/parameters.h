/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The parameters of a kernel, in their order: the one place that knows the order. The generator
 * declares the kernel by the list, and the program's description of the region carries it to the
 * runtime. include/stencilopt/region.def says what each kind is.
 */
#ifndef STENCILOPT_PARAMETERS_H
#define STENCILOPT_PARAMETERS_H

#include "model/step.h"
#include "plan/plan.h"

/* Fills k->parameters by k->kind. `older`: the steps read an older level. */
void plan_list_parameters(st_kernel *k, const st_stencil *s, bool older);
/* Fills the parameters of a kernel of kind ST_STEPS. */
void plan_list_step_parameters(st_kernel *k, const st_step *step);

#endif
