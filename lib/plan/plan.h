/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The Plan: how a stencil is computed on a GPU. Plain data.
 */
#ifndef STENCILOPT_PLAN_H
#define STENCILOPT_PLAN_H

#include "stencil.h"

typedef struct st_plan {
    int bt;       /* time steps a launch advances */
    int block[3]; /* threads along x, y, z; a cell each */
} st_plan;

st_plan plan_choose(const st_stencil *s);
void plan_print(const st_plan *p, FILE *out);

#endif
