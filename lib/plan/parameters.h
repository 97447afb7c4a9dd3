/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The parameters of each kind of kernel, in their order. This is the one place that knows the
 * order. The generator declares a kernel by the list. The description of the region in the program
 * carries the list to the runtime. include/stencilopt/region.def says what each kind of parameter
 * is.
 */
#ifndef STENCILOPT_PARAMETERS_H
#define STENCILOPT_PARAMETERS_H

#include "model/step.h"
#include "plan/plan.h"

/* Fills k->parameters by k->kind. `older`: the steps read an older level. */
void plan_list_parameters(st_kernel *k, const st_stencil *s, bool older);
/* The grid whose strides a cell kernel takes for this one: grids in bricks have the same. */
size_t plan_stride_grid(const st_kernel *k, const st_stencil *s, size_t grid);
/* Fills the parameters of a kernel of kind ST_STEPS. */
void plan_list_step_parameters(st_kernel *k, const st_step *step);
/* Fills those of a kernel of kind ST_RESIDENT that makes whole steps. */
void plan_list_fields_parameters(st_kernel *k, const st_step *step);
/* Fills the parameters of a kernel of kind ST_ADDING. */
void plan_list_adding_parameters(st_kernel *k);

#endif
