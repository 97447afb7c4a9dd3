/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A temporary array that each iteration of a loop allocates anew and frees, as Fortran compilers do
 * for a statement such as a(2:n-1) = a(1:n-2) + a(3:n). malloc may return the same memory each
 * time, so it is called once, in front of the loop, and free behind it; then the array is one like
 * others in the sweeps of a time loop. When legal: whenever the loop is entered, both calls run in
 * each iteration, as many bytes each time.
 */
#include "passes.h"

#include "hoist.h"

#include <llvm-c/DebugInfo.h>

#include <stdlib.h>
#include <string.h>

enum { MAX_BLOCKS = 256, MAX_PAIRS = 16 };

typedef struct blocks {
    LLVMBasicBlockRef block[MAX_BLOCKS];
    size_t count;
} blocks;

static bool calls(LLVMValueRef i, const char *name) {
    return !strcmp(host_callee_name(i), name) && LLVMIsDeclaration(LLVMGetCalledValue(i)) &&
           LLVMGetNumArgOperands(i) == 1;
}

static bool is_in(br_loop l, LLVMValueRef v) {
    return LLVMIsAInstruction(v) && br_loop_contains(l, LLVMGetInstructionParent(v));
}

/* Does control pass the block in each iteration? Then not in an inner loop, where it may more than
 * once. */
static bool is_passed(br_function *f, br_loop l, LLVMBasicBlockRef block) {
    return br_loop_of(f, block) == l && host_always_passed(f, l, block);
}

/* The call that frees the memory, if it is the only one in the loop, and none is elsewhere; else
 * NULL. */
static LLVMValueRef find_free(br_function *f, br_loop l, LLVMValueRef allocation) {
    LLVMValueRef found = NULL;
    for (LLVMUseRef u = LLVMGetFirstUse(allocation); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!is_in(l, user) || LLVMIsAPHINode(user) || (found && calls(user, "free")))
            return NULL;
        found = calls(user, "free") ? user : found;
    }
    return found && br_comes_first(f, allocation, found) ? found : NULL;
}

static size_t find_pairs(br_function *f, br_loop l, const blocks *in, LLVMValueRef pairs[][2]) {
    size_t count = 0;
    for (size_t b = 0; b < in->count; b++) {
        LLVMValueRef i = LLVMGetFirstInstruction(in->block[b]);
        for (; i && count < MAX_PAIRS; i = LLVMGetNextInstruction(i)) {
            if (!calls(i, "malloc") || is_in(l, LLVMGetOperand(i, 0)) ||
                !is_passed(f, l, in->block[b]))
                continue;
            LLVMValueRef end = find_free(f, l, i);
            if (!end || !is_passed(f, l, LLVMGetInstructionParent(end)))
                continue;
            pairs[count][0] = i;
            pairs[count++][1] = end;
        }
    }
    return count;
}

static void move_before(LLVMBuilderRef b, LLVMValueRef call, LLVMValueRef place) {
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(call);
    LLVMInstructionRemoveFromParent(call);
    LLVMPositionBuilderBefore(b, place);
    LLVMInsertIntoBuilder(b, call);
    LLVMInstructionSetDebugLoc(call, at);
}

static LLVMValueRef first_instruction(LLVMBasicBlockRef block) {
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    while (LLVMIsAPHINode(i))
        i = LLVMGetNextInstruction(i);
    return i;
}

/* All blocks to which the loop is left; each has no other predecessors. */
static size_t find_exits(br_loop l, const blocks *in, LLVMBasicBlockRef exits[], size_t most) {
    size_t count = 0;
    for (size_t b = 0; b < in->count; b++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(in->block[b]);
        for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
            LLVMBasicBlockRef to = LLVMGetSuccessor(end, i);
            bool is_new = !br_loop_contains(l, to);
            for (size_t e = 0; e < count && e < most && is_new; e++)
                is_new = exits[e] != to;
            if (is_new && count < most)
                exits[count] = to;
            count += is_new;
        }
    }
    return count;
}

static void move_pair(br_loop l, const blocks *in, LLVMValueRef pair[2], LLVMValueRef before) {
    LLVMBasicBlockRef exits[MAX_BLOCKS];
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(pair[0])));
    size_t count = find_exits(l, in, exits, MAX_BLOCKS);
    move_before(b, pair[0], before);
    for (size_t e = 0; e < count; e++) {
        LLVMValueRef copy = e + 1 < count ? LLVMInstructionClone(pair[1]) : pair[1];
        LLVMValueRef place = first_instruction(exits[e]);
        if (copy == pair[1]) {
            move_before(b, copy, place);
            continue;
        }
        LLVMPositionBuilderBefore(b, place);
        LLVMInsertIntoBuilder(b, copy);
        LLVMInstructionSetDebugLoc(copy, LLVMInstructionGetDebugLoc(pair[1]));
    }
    LLVMDisposeBuilder(b);
}

static bool keep_in(br_function *f, br_loop l) {
    br_loop inner;
    blocks in;
    LLVMValueRef pairs[MAX_PAIRS][2];
    LLVMBasicBlockRef exit;
    in.count = br_loop_blocks(l, in.block, MAX_BLOCKS);
    if (in.count > MAX_BLOCKS || !br_loop_children(l, &inner, 1) ||
        find_exits(l, &in, &exit, 1) == 0)
        return false;
    size_t count = find_pairs(f, l, &in, pairs);
    LLVMBasicBlockRef preheader = count ? br_loop_prepare(f, l) : NULL;
    if (!preheader || !br_loop_own_exits(f, l))
        return false;
    for (size_t i = 0; i < count; i++)
        move_pair(l, &in, pairs[i], LLVMGetBasicBlockTerminator(preheader));
    return count > 0;
}

bool pass_keep_temporaries(br_function *f) {
    bool changed = false;
    size_t count = br_loops(f, NULL, 0);
    br_loop *loops = malloc((count + 1) * sizeof *loops);
    br_loops(f, loops, count);
    for (size_t i = 0; i < count; i++)
        changed |= keep_in(f, loops[i]);
    free(loops);
    return changed;
}
