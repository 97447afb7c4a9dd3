/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Blocks of a parallel region's body to which each thread comes equally often. For example:
 *
 *     if (*often)                    all threads, or none
 *         critical();
 *     if (__kmpc_master(...))        one thread
 *         critical();
 *     for (i = lower; ...)           by a thread's share
 *         critical();
 *
 * A block's branches are those that decide whether control comes to it. Threads must find the same
 * at each of them: what it tests is computed of shared variables and of loops' counters alone.
 */
#include "prepare/team.h"

#include "detect/common/calls.h"
#include "detect/common/flow.h"

enum { BODY_NUMBERS = 2 }; /* the body's arguments that are of the thread */
enum { MAX_BLOCKS = 64, MAX_VALUES = 64 };

/* A block, and blocks with branches that lead to it. */
typedef struct way {
    br_function *f;
    LLVMValueRef body;
    LLVMBasicBlockRef block[MAX_BLOCKS];
    size_t count;
    LLVMValueRef seen[MAX_VALUES]; /* values that are the same in all threads if the others are */
    int nseen;
} way;

static bool is_common(way *w, LLVMValueRef v);

static bool are_common(way *w, LLVMValueRef user) {
    bool common = true;
    for (int i = 0; i < LLVMGetNumOperands(user) && common; i++)
        common = is_common(w, LLVMGetOperand(user, (unsigned)i));
    return common;
}

/* Is it the counter of a loop around the block? Whether threads leave that loop alike, its branches
 * tell. */
static bool counts(const way *w, LLVMValueRef phi) {
    br_loop l = br_loop_of(w->f, LLVMGetInstructionParent(phi));
    return l && host_is_at_head(l, phi) && br_loop_contains(l, w->block[0]);
}

static bool is_common_result(way *w, LLVMValueRef i) {
    if (LLVMIsAPHINode(i))
        return counts(w, i) && are_common(w, i);
    if (LLVMIsALoadInst(i))
        return host_is_plain(i) && is_common(w, LLVMGetOperand(i, 0));
    if (LLVMIsACallInst(i))
        return host_calls(i, "llvm.") && !host_calls(i, "llvm.thread") && are_common(w, i);
    return !LLVMIsAAllocaInst(i) && !LLVMIsAInvokeInst(i) && are_common(w, i);
}

/* Do all threads find this value? */
static bool is_common(way *w, LLVMValueRef v) {
    if (LLVMIsAArgument(v))
        return v != LLVMGetParam(w->body, 0) && v != LLVMGetParam(w->body, BODY_NUMBERS - 1);
    if (!LLVMIsAInstruction(v))
        return !LLVMIsAGlobalVariable(v) || !LLVMIsThreadLocal(v);
    for (int i = 0; i < w->nseen; i++)
        if (w->seen[i] == v)
            return true;
    if (w->nseen == MAX_VALUES || br_may_write(v))
        return false;
    w->seen[w->nseen++] = v;
    return is_common_result(w, v);
}

/* Does the branch decide whether control comes to the block? */
static bool decides(const way *w, LLVMValueRef branch, LLVMBasicBlockRef block) {
    bool comes = false, passes = false;
    for (unsigned s = 0; s < LLVMGetNumSuccessors(branch); s++) {
        bool always = br_post_dominates(w->f, block, LLVMGetSuccessor(branch, s));
        comes |= always;
        passes |= !always;
    }
    return comes && passes && !LLVMIsAInvokeInst(branch);
}

/* Notes the block of a branch that all threads take alike. False: they may not. */
static bool note(way *w, LLVMValueRef branch) {
    LLVMBasicBlockRef b = LLVMGetInstructionParent(branch);
    if (host_lists_block(w->block, w->count, b))
        return true;
    w->nseen = 0;
    if (w->count == MAX_BLOCKS || !is_common(w, LLVMGetOperand(branch, 0)))
        return false;
    w->block[w->count++] = b;
    return true;
}

bool team_all_come(br_function *f, LLVMValueRef body, LLVMBasicBlockRef block) {
    way w = {.f = f, .body = body, .block = {block}, .count = 1};
    bool all = true;
    for (size_t k = 0; k < w.count && all; k++)
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(body); b && all;
             b = LLVMGetNextBasicBlock(b)) {
            LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
            all = !decides(&w, end, w.block[k]) || note(&w, end);
        }
    return all;
}
