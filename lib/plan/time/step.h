/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The plan of a time step: the kernels of each of its sweeps, and the kernels of whole steps.
 */
#ifndef STENCILOPT_PLAN_STEP_H
#define STENCILOPT_PLAN_STEP_H

#include "model/step.h"
#include "plan/plan.h"

typedef struct plan_of_step {
    st_plan *sweeps; /* one a sweep, in their order. Of a single sweep, blocked in time where that
                        can be; else a thread a cell */
    size_t count;
    st_plan whole; /* kernels of whole steps; none: .. */
    /* Kernels that keep the grid on chip, of a step of one sweep that is not `single`, or of two
     * that are `joined` for them; NULL: none */
    st_plan *chip;
    st_stencil *joined;
    const char *why_not_whole; /* .. why there are none, in a sentence */
    st_step **parts;   /* if `whole` makes a step in parts: that of each kernel; else NULL */
    st_step *round;    /* the step that they make, if that is one without copies to ghost cells; or
                          NULL */
    st_kernel *adding; /* of kind ST_ADDING, one for each type that sweeps add up in order */
    size_t nadding;
} plan_of_step;

/* `arch`: the GPU to plan for, or NULL. plan_step_free frees what the plan points to. */
plan_of_step plan_step(const st_step *step, const plan_wish *wish, const char *arch);
/* Do the arrays of the step lie in bricks? If they cannot, the reason. */
bool plan_step_has_bricks(const st_step *step, const plan_wish *wish);
const char *plan_step_why_not_bricks(const st_step *step);
/* What the names of the kernels of a step's sweep begin with. */
void plan_prefix(const st_step *step, size_t sweep, char *prefix, size_t size);
/* The step that kernels of whole steps make, and the step or part that such a kernel makes. */
const st_step *plan_whole_step(const plan_of_step *p, const st_step *step);
const st_step *plan_step_of_kernel(const plan_of_step *p, const st_step *step, int kernel);
/* Kernels that keep the grid on chip: how many, and the sweep that they make. */
int plan_on_chip_count(const plan_of_step *p);
const st_stencil *plan_on_chip_sweep(const plan_of_step *p, const st_step *step);
void plan_step_free(plan_of_step *p);
void plan_step_print(const plan_of_step *p, FILE *out);

#endif
