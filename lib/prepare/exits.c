/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Parts what is behind a loop, so that something can be done there just where control comes from
 * the loop, and behind each call in the loop, just where the call returns. Landing pads stay as
 * they are.
 */
#include "prepare/exits.h"
#include "detect/common/flow.h"

enum { MAX_PREDECESSORS = 64 };

/* The block by which control leaves the loop to `to`, and comes to `to` from nowhere else; or `to`
 * itself if it is a landing pad. NULL: there are too many ways. */
static LLVMBasicBlockRef own_exit(LLVMValueRef function, br_loop l, LLVMBasicBlockRef to) {
    LLVMBasicBlockRef from[MAX_PREDECESSORS];
    size_t count = 0;
    bool others = false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        if (!host_leads_to(b, to))
            continue;
        if (!br_loop_contains(l, b))
            others = true;
        else if (count < MAX_PREDECESSORS)
            from[count++] = b;
        else
            return NULL;
    }
    return others && !LLVMIsALandingPadInst(host_first_after_phis(to)) ? br_join(from, count, to)
                                                                       : to;
}

static bool add_exit(prep_exits *e, LLVMValueRef function, br_loop l, LLVMBasicBlockRef to) {
    if (host_lists_block(e->block, (size_t)e->count, to))
        return true;
    LLVMBasicBlockRef own = e->count < PREP_MAX_EXITS ? own_exit(function, l, to) : NULL;
    if (own)
        e->block[e->count++] = own;
    return own != NULL;
}

/* Does a call throw to what is no landing pad, as on Windows? Nothing can be put there. */
static bool throws_to_funclet(LLVMValueRef end) {
    return LLVMIsAInvokeInst(end) &&
           !LLVMIsALandingPadInst(host_first_after_phis(LLVMGetUnwindDest(end)));
}

/* A call that may throw returns to a block of its own, where slots can be read again. */
static void split_returns(br_loop l) {
    LLVMBasicBlockRef block;
    for (size_t b = 0; (block = br_loop_block(l, b)); b++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        LLVMBasicBlockRef to = LLVMIsAInvokeInst(end) ? LLVMGetNormalDest(end) : NULL;
        if (to && !host_has_one_edge(to))
            br_join(&block, 1, to);
    }
}

bool prep_find_exits(prep_exits *e, LLVMValueRef function, br_loop l) {
    LLVMBasicBlockRef block;
    for (size_t b = 0; (block = br_loop_block(l, b)); b++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        if (throws_to_funclet(end))
            return false;
        for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
            if (!br_loop_contains(l, LLVMGetSuccessor(end, i)) &&
                !add_exit(e, function, l, LLVMGetSuccessor(end, i)))
                return false;
    }
    split_returns(l);
    return true;
}
