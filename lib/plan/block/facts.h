/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What plans of blocking ask of a stencil and of its launch.
 */
#ifndef STENCILOPT_PLAN_BLOCK_FACTS_H
#define STENCILOPT_PLAN_BLOCK_FACTS_H

#include "plan/block/block.h"

/* Sets lone[i] for accesses that each cell makes by itself: the program makes them under a
 * condition that may differ from cell to cell, and no other thread reads the same cell in any case.
 * Returns whether there is such an access. */
bool blk_find_lone(const st_stencil *s, bool *lone);
bool blk_has_lone(const st_stencil *s);
/* Is there an access under a condition that changes from each cell along x to the next? */
bool blk_has_alternating(const st_stencil *s);
/* Does the first statement always store, and each further one only where coordinates say so? */
bool blk_masks_borders(const st_stencil *s);
/* Are there several statements, some with a guard of their own, by coordinates? */
bool blk_guards_outputs(const st_stencil *s);
/* Does its only statement store where a condition holds, of which x is no part? */
bool blk_masks_values(const st_stencil *s);
/* Is something read only under a condition that x is part of? */
bool blk_has_conditions_along_x(const st_stencil *s);
/* Is that so of a neighbour more than a cell away along x? */
bool blk_has_far_conditions(const st_stencil *s);
/* Does a thread read an element that it writes? */
bool blk_reads_written(const st_stencil *s);
/* Is each cell read of a box around the cell? */
bool blk_is_box(const st_stencil *s);
/* Are the cells read of each row apart, some by more than two? Then cells side by side share none.
 */
bool blk_has_gaps(const st_stencil *s);
int blk_radius(const st_stencil *s);
bool blk_is_wide(const st_stencil *s);   /* elements of 8 bytes */
bool blk_has_rules(const st_stencil *s); /* at borders */
/* Is a cell read again in place of one beyond a border (ST_SYMMETRIC)? */
bool blk_repeats_borders(const st_stencil *s);
/* The most threads of a block, if the kernel promises that or counts on it; else 0. */
int blk_block_threads(const st_stencil *s, const blk_launch *l);
bool blk_has_own_cells(const blk_launch *l);
/* Are the cells of a thread, along x, components? Then neighbours are whole threads away. */
bool blk_has_components(const st_stencil *s, const blk_launch *l);

#endif
