/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How much faster a kernel is predicted to be if a thread computes several cells, by the counts of
 * what it moves and computes on the GPU that it is compiled for. What measurements know beyond that
 * is in plan/block/worth.h.
 */
#ifndef STENCILOPT_PLAN_BLOCK_RATE_H
#define STENCILOPT_PLAN_BLOCK_RATE_H

#include "plan/block/block.h"

/* The kernel's own time by that of the plan: more than 1 is a gain. */
double blk_gain(const st_stencil *s, const blk_launch *l, const blk_plan *p);

/* Different cells of the grids that a thread of the plan reads. */
size_t blk_cells_read(const st_stencil *s, const blk_plan *p);

#endif
