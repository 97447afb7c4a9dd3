/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What neighbouring cells compute in common.
 */
#ifndef STENCILOPT_PLAN_TIME_LEADS_H
#define STENCILOPT_PLAN_TIME_LEADS_H

#include "model/stencil.h"

/* For each node: how many cells along x it is ahead of the nearest node that computes the same of
 * other cells; INT32_MAX if there is none. A thread with V neighbouring cells computes
 * min(V, lead) values of the node. To be freed. */
int32_t *steps_find_leads(const st_stencil *s);

#endif
