/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Control flow within one iteration of a loop: what control can get to, in which order, and what it
 * cannot get to where branches on conditions that do not change are taken as known.
 */
#include "detect/common/flow.h"
#include "detect/common/limits.h"

bool host_lists_block(const LLVMBasicBlockRef *blocks, size_t count, LLVMBasicBlockRef block) {
    bool found = false;
    for (size_t i = 0; i < count && !found; i++)
        found = blocks[i] == block;
    return found;
}

bool host_leads_to(LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    bool leads = false;
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
        leads |= LLVMGetSuccessor(end, i) == to;
    return leads;
}

bool host_has_one_edge(LLVMBasicBlockRef to) {
    LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(to));
    return u && !LLVMGetNextUse(u);
}

LLVMValueRef host_first_after_phis(LLVMBasicBlockRef block) {
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    while (LLVMIsAPHINode(i))
        i = LLVMGetNextInstruction(i);
    return i;
}

bool host_in_loop(br_loop l, LLVMValueRef v) {
    return LLVMIsAInstruction(v) && br_loop_contains(l, LLVMGetInstructionParent(v));
}

bool host_is_at_head(br_loop l, LLVMValueRef phi) {
    return LLVMGetInstructionParent(phi) == br_loop_header(l);
}

LLVMValueRef host_incoming(LLVMValueRef phi, br_loop l, bool from_latch) {
    bool first = LLVMGetIncomingBlock(phi, 0) == br_loop_latch(l);
    return LLVMGetIncomingValue(phi, first == from_latch ? 0 : 1);
}

bool host_tests_first(br_loop l) {
    LLVMBasicBlockRef exiting = br_loop_exiting_block(l);
    return exiting == br_loop_header(l) && exiting != br_loop_latch(l);
}

bool host_tests_last(br_loop l) {
    return br_loop_latch(l) && br_loop_exiting_block(l) == br_loop_latch(l);
}

LLVMBasicBlockRef host_only_predecessor(LLVMBasicBlockRef to) {
    LLVMBasicBlockRef only = NULL;
    LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(to));
    for (; u; u = LLVMGetNextUse(u)) {
        LLVMValueRef end = LLVMIsATerminatorInst(LLVMGetUser(u));
        if (!end || (only && only != LLVMGetInstructionParent(end)))
            return NULL;
        only = LLVMGetInstructionParent(end);
    }
    return only;
}

LLVMValueRef host_first_store(br_loop l) {
    LLVMBasicBlockRef block;
    for (size_t b = 0; (block = br_loop_block(l, b)); b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsAStoreInst(i))
                return i;
    return NULL;
}

enum { MAX_BLOCKS = HOST_MAX_BLOCKS };

/* Can control get from `from` to `to` inside l, without starting a new iteration? In loops of more
 * than MAX_BLOCKS it may not be found. */
bool host_reaches(br_loop l, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
    LLVMBasicBlockRef seen[MAX_BLOCKS + 1] = {from};
    int count = 1;
    for (int next = 0; next < count; next++) {
        if (seen[next] == to)
            return true;
        if (seen[next] == br_loop_header(l) || !br_loop_contains(l, seen[next]))
            continue;
        LLVMValueRef end = LLVMGetBasicBlockTerminator(seen[next]);
        for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
            LLVMBasicBlockRef successor = LLVMGetSuccessor(end, i);
            bool known = !br_loop_contains(l, successor) && successor != to;
            for (int k = 0; k < count && !known; k++)
                known = seen[k] == successor;
            if (!known && count <= MAX_BLOCKS)
                seen[count++] = successor;
        }
    }
    return false;
}

bool host_comes_before(br_loop l, LLVMBasicBlockRef a, LLVMBasicBlockRef b) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(a);
    bool before = a == b;
    if (b == br_loop_header(l))
        return before; /* which control gets to only by starting anew */
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end) && !before; i++)
        before = host_reaches(l, LLVMGetSuccessor(end, i), b); /* a itself may be the head of l */
    return before;
}

/* Is the branch to successor i of a block one that the guards rule out? */
static bool is_ruled_out(LLVMValueRef end, unsigned i, const host_guard *guards, int count) {
    bool out = false;
    for (int g = 0; g < count && LLVMGetNumSuccessors(end) == 2 && br_is_branch(end); g++)
        out |= guards[g].condition == LLVMGetCondition(end) && guards[g].holds == (i == 1);
    return out;
}

/* Adds the block if it is not in the list yet. False: the list is full. */
static bool add_once(LLVMBasicBlockRef *seen, int *n, LLVMBasicBlockRef block) {
    if (host_lists_block(seen, (size_t)*n, block))
        return true;
    if (*n == MAX_BLOCKS)
        return false;
    seen[(*n)++] = block;
    return true;
}

/* `past`: a block that control does not get past; or NULL. */
bool host_gets_to(br_loop l, const host_guard *guards, int count, LLVMBasicBlockRef past,
                  LLVMBasicBlockRef block) {
    LLVMBasicBlockRef seen[MAX_BLOCKS] = {br_loop_header(l)};
    int n = 1;
    for (int next = 0; next < n && seen[next] != block; next++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(seen[next]);
        for (unsigned i = 0; seen[next] != past && i < LLVMGetNumSuccessors(end); i++) {
            LLVMBasicBlockRef successor = LLVMGetSuccessor(end, i);
            if (!br_loop_contains(l, successor) || is_ruled_out(end, i, guards, count))
                continue;
            if (!add_once(seen, &n, successor))
                return true; /* for all that is known */
        }
    }
    return host_lists_block(seen, (size_t)n, block);
}

bool host_gets_around(br_loop l, const LLVMBasicBlockRef *blocks, int count) {
    LLVMBasicBlockRef seen[MAX_BLOCKS] = {br_loop_header(l)};
    int n = 1;
    for (int next = 0; next < n; next++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(seen[next]);
        bool ends = host_lists_block(blocks, (size_t)count, seen[next]);
        if (!ends && seen[next] == br_loop_latch(l))
            return true;
        for (unsigned i = 0; !ends && i < LLVMGetNumSuccessors(end); i++) {
            LLVMBasicBlockRef successor = LLVMGetSuccessor(end, i);
            if (br_loop_contains(l, successor) && !add_once(seen, &n, successor))
                return true; /* for all that is known */
        }
    }
    return false;
}

bool host_reaches_under(br_loop l, const host_guard *guards, int count, LLVMBasicBlockRef block) {
    return host_gets_to(l, guards, count, NULL, block);
}

bool host_passes_under(br_loop l, const host_guard *guards, int count, LLVMBasicBlockRef block) {
    return block == br_loop_latch(l) || !host_gets_to(l, guards, count, block, br_loop_latch(l));
}

bool host_edge_taken(br_loop l, const host_guard *guards, int count, LLVMBasicBlockRef from,
                     LLVMBasicBlockRef to) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    bool taken = false;
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
        taken |= LLVMGetSuccessor(end, i) == to && !is_ruled_out(end, i, guards, count);
    return taken && host_reaches_under(l, guards, count, from);
}
