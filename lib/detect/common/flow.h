/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Control flow within one iteration of a loop.
 */
#ifndef STENCILOPT_COMMON_FLOW_H
#define STENCILOPT_COMMON_FLOW_H

#include "bridge/bridge.h"
#include "detect/common/limits.h"

/* A branch that skips an inner loop: the nest runs only where `condition` equals `holds`. */
typedef struct host_guard {
    LLVMValueRef condition; /* invariant; if in the region, by ScalarEvolution */
    bool holds;
} host_guard;

/* Is the block in the list? */
bool host_lists_block(const LLVMBasicBlockRef *blocks, size_t count, LLVMBasicBlockRef block);
/* Does an edge lead from one block to the other? */
bool host_leads_to(LLVMBasicBlockRef from, LLVMBasicBlockRef to);
/* Does one edge alone lead to the block? */
bool host_has_one_edge(LLVMBasicBlockRef to);
/* The block's first instruction behind its phis. */
LLVMValueRef host_first_after_phis(LLVMBasicBlockRef block);
bool host_in_loop(br_loop l, LLVMValueRef v); /* an instruction inside l? */
bool host_is_at_head(br_loop l, LLVMValueRef phi);
/* What a phi at the head of l has from the latch, or from before the loop. */
LLVMValueRef host_incoming(LLVMValueRef phi, br_loop l, bool from_latch);
/* Does the loop test its condition at its head, before each iteration, and not at its latch? */
bool host_tests_first(br_loop l);
/* Does it test its condition at its latch alone? */
bool host_tests_last(br_loop l);
/* The only block from which control comes to this one; NULL: there is none, or are several. */
LLVMBasicBlockRef host_only_predecessor(LLVMBasicBlockRef to);
LLVMValueRef host_first_store(br_loop l); /* in the loop or those in it; NULL: there is none */
/* Can control get from `from` to `to` inside l, without starting a new iteration? In loops of more
 * than HOST_MAX_BLOCKS it may not be found. */
bool host_reaches(br_loop l, LLVMBasicBlockRef from, LLVMBasicBlockRef to);
/* Can control get from a to b within an iteration of l? */
bool host_comes_before(br_loop l, LLVMBasicBlockRef a, LLVMBasicBlockRef b);
/* Can control get to a block from the head of l, if the branches go as the guards say? `past`: a
 * block that control does not get past; or NULL. */
bool host_gets_to(br_loop l, const host_guard *guards, int count, LLVMBasicBlockRef past,
                  LLVMBasicBlockRef block);
/* Can an iteration of l end although control came to none of the blocks? */
bool host_gets_around(br_loop l, const LLVMBasicBlockRef *blocks, int count);
/* Can control get to the block, in an iteration of l, if the branches go as the guards say? */
bool host_reaches_under(br_loop l, const host_guard *guards, int count, LLVMBasicBlockRef block);
/* Does control pass the block in each iteration that does not leave l before its end? */
bool host_passes_under(br_loop l, const host_guard *guards, int count, LLVMBasicBlockRef block);
/* May control take the edge between two blocks of l if the branches go as the guards say? */
bool host_edge_taken(br_loop l, const host_guard *guards, int count, LLVMBasicBlockRef from,
                     LLVMBasicBlockRef to);

#endif
