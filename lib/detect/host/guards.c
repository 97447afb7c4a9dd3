/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Branches between the loops of a nest, which decide whether the nest or an inner loop runs: on
 * conditions that do not change in the region, or in every N-th step of several sweeps.
 */
#include "detect/common/flow.h"
#include "detect/common/limits.h"
#include "detect/host/nest.h"
#include "detect/host/region.h"

#include <string.h>

enum { MAX_BLOCKS = HOST_MAX_BLOCKS };

/* The blocks of a loop, and whether control gets from each to a target without starting a new
 * iteration. */
typedef struct ways {
    LLVMBasicBlockRef target, blocks[MAX_BLOCKS];
    bool lead[MAX_BLOCKS];
    size_t count;
} ways;

static bool leads(const ways *w, LLVMBasicBlockRef from) {
    size_t b = 0;
    while (b < w->count && w->blocks[b] != from)
        b++;
    return from == w->target || (b < w->count && w->lead[b]);
}

static bool any_leads(const ways *w, LLVMBasicBlockRef block) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    bool any = false;
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end) && !any; i++)
        any = leads(w, LLVMGetSuccessor(end, i));
    return any;
}

/* False: the loop has too many blocks. From the last block to the first, as control comes to them,
 * so that few rounds find all. */
static bool find_ways(br_loop l, LLVMBasicBlockRef target, ways *w) {
    w->target = target;
    w->count = br_loop_blocks(l, w->blocks, MAX_BLOCKS);
    if (w->count > MAX_BLOCKS)
        return false;
    memset(w->lead, 0, sizeof w->lead);
    for (bool more = true; more;) {
        more = false;
        for (size_t b = w->count; b-- > 0;)
            if (!w->lead[b] && w->blocks[b] != br_loop_header(l) && any_leads(w, w->blocks[b]))
                w->lead[b] = more = true;
    }
    return true;
}

/* Does control get there, or not, wherever the switch leads, as from one in another nest? */
static bool all_lead(const ways *w, LLVMValueRef end) {
    bool first = leads(w, LLVMGetSuccessor(end, 0));
    for (unsigned i = 1; i < LLVMGetNumSuccessors(end); i++)
        if (leads(w, LLVMGetSuccessor(end, i)) != first)
            return false;
    return true;
}

/* The sweep runs in every N-th step only if control comes to it through the branch whenever all
 * sweeps' guards hold. Where it never comes to the branch then, that says nothing. */
static bool add_every(host_region *r, br_loop l, LLVMValueRef branch, bool holds,
                      LLVMBasicBlockRef target) {
    const host_steps *s = r->steps;
    LLVMBasicBlockRef block = LLVMGetInstructionParent(branch);
    if (s->guarded && !host_gets_to(l, s->guards, s->nguards, NULL, block))
        return true;
    if (s->guarded && host_gets_to(l, s->guards, s->nguards, block, target))
        return false;
    return host_every(r, LLVMGetCondition(branch), holds);
}

/* Control comes from the branch to the target by one successor alone. */
static bool add_guard(host_region *r, br_loop l, LLVMValueRef branch, bool holds,
                      LLVMBasicBlockRef target) {
    LLVMValueRef condition = LLVMGetCondition(branch);
    if (host_in_loop(r->outer, condition) &&
        !br_scev_invariant(r->f, br_scev_of(r->f, condition), r->outer)) {
        bool outside = r->axes == 0 || !host_in_loop(r->loops[r->axes - 1], branch);
        if (r->steps && outside && add_every(r, l, branch, holds, target))
            return true;
        r->partial = !r->twin && !r->steps && host_in_loop(r->loops[r->axes - 1], branch);
        return r->partial ||
               host_refuse(r, ST_NO_CONTROL_FLOW, "an inner loop runs only under a condition");
    }
    return host_add_guard(r, condition, holds);
}

bool host_find_guards(host_region *r, br_loop l, br_loop child, LLVMBasicBlockRef target) {
    ways w;
    if (!find_ways(l, target, &w))
        return host_refuse(r, ST_NO_TOO_BIG, "256 basic blocks");
    for (size_t b = 0; b < w.count; b++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(w.blocks[b]);
        if ((child && br_loop_contains(child, w.blocks[b])) ||
            w.blocks[b] == br_loop_exiting_block(l) || w.blocks[b] == target ||
            LLVMGetNumSuccessors(end) < 2)
            continue;
        if (!br_is_branch(end)) {
            if (!all_lead(&w, end))
                return host_refuse(r, ST_NO_CONTROL_FLOW, "a switch between the loops");
            continue;
        }
        bool yes = leads(&w, LLVMGetSuccessor(end, 0));
        bool no = leads(&w, LLVMGetSuccessor(end, 1));
        if (yes != no && !add_guard(r, l, end, yes, target))
            return false;
    }
    return true;
}

/* A time loop that is left where its sweeps do not run: a condition that does not change in it, and
 * by which it would be left, is a guard of the first sweep, as a check that ends the program is. */
static bool find_exit_guards(host_region *r) {
    LLVMBasicBlockRef block;
    for (size_t b = 0; (block = br_loop_block(r->time, b)); b++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        bool stays = LLVMGetNumSuccessors(end) == 2 &&
                     br_loop_contains(r->time, LLVMGetSuccessor(end, 0)),
             leaves = LLVMGetNumSuccessors(end) == 2 &&
                      !br_loop_contains(r->time, LLVMGetSuccessor(end, stays));
        if (leaves && br_is_branch(end) &&
            host_reaches_under(r->time, r->steps->guards, r->steps->nguards, block) &&
            br_scev_invariant(r->f, br_scev_of(r->f, LLVMGetCondition(end)), r->outer) &&
            !host_add_guard(r, LLVMGetCondition(end), stays))
            return false;
    }
    return true;
}

bool host_find_time_guards(host_region *r) {
    br_loop nest = r->axes > 0 ? r->loops[r->axes - 1] : NULL;
    LLVMBasicBlockRef target = nest ? br_loop_header(nest) : LLVMGetInstructionParent(r->store);
    return host_find_guards(r, r->time, nest, target) &&
           (!r->steps || !r->steps->left || !r->steps->guarded || r->number > 0 ||
            find_exit_guards(r));
}
