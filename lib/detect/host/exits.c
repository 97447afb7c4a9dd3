/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where a time loop is left: the branches, in the order in which each step comes to them.
 */
#include "detect/common/flow.h"
#include "detect/common/limits.h"
#include "detect/host/after.h"
#include "detect/host/region.h"

LLVMValueRef host_exit_branch(const host_steps *s, int exit, bool *leaves) {
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(s->exiting[exit]);
    *leaves = !br_loop_contains(s->time, LLVMGetSuccessor(branch, 0));
    return branch;
}

/* Does the block leave the time loop where all sweeps run? A loop may also be left where they do
 * not run. */
static bool leaves(const host_steps *s, LLVMBasicBlockRef block) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    bool out = false;
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
        out |= !br_loop_contains(s->time, LLVMGetSuccessor(end, i)) &&
               host_edge_taken(s->time, s->guards, s->nguards, block, LLVMGetSuccessor(end, i));
    return out;
}

/* In the order in which each step comes to all of them. */
static bool add_exit(host_steps *s, LLVMBasicBlockRef block) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    bool one = br_is_conditional(end) && host_passes_under(s->time, s->guards, s->nguards, block);
    int at = s->nexits;
    if (!one || s->nexits == HOST_MAX_EXITS)
        return false;
    for (; at > 0 && host_comes_before(s->time, block, s->exiting[at - 1]); at--)
        s->exiting[at] = s->exiting[at - 1];
    s->exiting[at] = block;
    s->nexits++;
    return true;
}

bool host_find_exits(host_steps *s) {
    LLVMBasicBlockRef block;
    s->nexits = 0;
    for (size_t b = 0; (block = br_loop_block(s->time, b)); b++)
        if (leaves(s, block) && !add_exit(s, block))
            return false;
    return s->nexits > 0;
}
