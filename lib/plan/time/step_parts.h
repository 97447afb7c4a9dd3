/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Cuts a step that no kernel makes whole into parts, each of which one kernel makes once. Fewer
 * parts move fewer bytes; smaller parts fit into more warps.
 */
#ifndef STENCILOPT_PLAN_STEP_PARTS_H
#define STENCILOPT_PLAN_STEP_PARTS_H

#include "model/part.h"
#include "plan/plan.h"

typedef struct plan_parts {
    st_step *parts[PLAN_MAX_KERNELS]; /* in their order, the kernel of each is the plan's */
    st_plan plan;
} plan_parts;

/* The cheapest parts; or of `wish->group` nests each, and more where the step may not be cut. None,
 * if a kernel a sweep is predicted to be faster, or a part has no kernel. Then *why is the reason.
 * What `out` points to is the caller's. */
bool plan_cut(const st_step *step, const plan_wish *wish, const char *arch, const char *prefix,
              plan_parts *out, const char **why);

#endif
