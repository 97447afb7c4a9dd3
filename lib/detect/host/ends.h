/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a nest does at the ends of its loops: indices that are clamped, mirrored or come round
 * there, neighbours that are read only inside, cells that are left out.
 *
 * Nothing of the program's text is recognised. The nest is looked at once for each scene: every
 * loop is in one of its first `width` iterations, or in one of its last, or anywhere between. In a
 * scene, conditions on loop counters have a value, choices are made, remainders are differences;
 * what is left are sums as everywhere else. Then accesses of all scenes are compared with what a
 * rule at each end would read.
 *
 * A comparison is decided by bounds of its operands' difference, a sum of counters and of the
 * loops' extents with small factors. That takes extents of at least 2 * width + 1, and of less than
 * ENDS_LIMIT so that no 32-bit operand wraps, and so the first and last iteration where neither is
 * a constant: all are checked when the program runs.
 */
#ifndef STENCILOPT_ENDS_H
#define STENCILOPT_ENDS_H

#include "detect/host/scene.h"

struct host_region;

enum { ENDS_LIMIT = 1 << 29 };

/* Fills in r->extent: the loops' iterations, less those that are left out. False if an extent is
 * not known well enough; no reason is set. */
bool ends_extents(struct host_region *r);
/* Requires that the numbers from which extents are computed are below ENDS_LIMIT, if no test of an
 * extent says so already. */
bool ends_require(struct host_region *r);
/* All scenes of a width: the first one, where each loop is between its ends, and the next one after
 * *scene; false if there is none. */
void ends_first_scene(const struct host_region *r, int width, host_scene *scene);
bool ends_next_scene(const struct host_region *r, host_scene *scene);
/* Does the block of the nest run in the scene? */
ends_truth ends_runs(const host_query *q, LLVMBasicBlockRef block);

/* Which cells the nest writes, if the store depends on loop counters; sets
 * r->left_out, or refuses. */
bool host_find_domain(struct host_region *r, st_refusal *why);
/* Does the block run for every cell that is written? */
bool host_always(struct host_region *r, LLVMBasicBlockRef block);
/* An address that depends on where the loops are: what it is away from their ends. */
bool host_end_address(struct host_region *r, LLVMValueRef pointer, host_affine at[]);
/* The address of a store whose index is brought back at the ends of the loops, where it need not
 * be: out[(y + n) % n]. False, without a reason, if it is another one. */
bool host_end_store(struct host_region *r, LLVMValueRef store, host_affine at[]);
/* The address that the load of a neighbour would have if it read the iteration's own cell: what is
 * found beyond the ends tells how far away the neighbour is. False, without a reason, if it reads
 * by no rule. */
bool host_end_load(struct host_region *r, LLVMValueRef load, host_affine at[]);
/* The rules at the ends that make the access what the load reads in all scenes. */
bool host_set_ends(struct host_region *r, LLVMValueRef load, const host_affine at[],
                   const poly stride[], st_access *access);
/* Does one of the loads of this access run, wherever the loops are? */
bool host_never_skipped(struct host_region *r, int32_t access);

#endif
