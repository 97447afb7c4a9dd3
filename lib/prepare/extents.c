/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tests that a time loop does not write the entries that its nests look up:
 *
 *     ca[id[i][j]] * e[i][j] + cb[id[i][j]] * ..
 *
 * How long `ca` is, no one says. But the nest that fills the tables loads just the entries that
 * each step loads: it also finds the least and the greatest of their addresses. Behind it, they are
 * compared with what the time loop's stores come to. If the bytes are not apart, the program's own
 * loop runs.
 */
#include "prepare/extents.h"
#include "prepare/sequence.h"

#include <llvm-c/DebugInfo.h>

/* The entries' addresses, as signed numbers. */
static LLVMValueRef keep(prep_tables *t, LLVMValueRef start) {
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(t->sweep[0]));
    LLVMValueRef in_front = t->g.in_front;
    LLVMPositionBuilderBefore(t->g.b, LLVMGetFirstInstruction(entry));
    LLVMValueRef memory = LLVMBuildAlloca(t->g.b, t->i64, "");
    LLVMPositionBuilderBefore(t->g.b, in_front);
    LLVMBuildStore(t->g.b, start, memory);
    return memory;
}

static void update(prep_tables *t, LLVMValueRef address, LLVMValueRef memory, LLVMIntPredicate p) {
    LLVMValueRef so_far = LLVMBuildLoad2(t->g.b, t->i64, memory, "");
    LLVMValueRef beyond = LLVMBuildICmp(t->g.b, p, address, so_far, "");
    LLVMBuildStore(t->g.b, LLVMBuildSelect(t->g.b, beyond, address, so_far, ""), memory);
}

/* Notes where the load of an entry, in the nest that fills the tables, loads from. */
static void watch(prep_extents *e, prep_tables *t, size_t k) {
    LLVMValueRef made = t->made[k];
    e->least[k] = keep(t, LLVMConstInt(t->i64, INT64_MAX, false));
    e->greatest[k] = keep(t, LLVMConstInt(t->i64, (uint64_t)INT64_MIN, false));
    LLVMPositionBuilderBefore(t->g.b, LLVMGetNextInstruction(made));
    LLVMValueRef at = LLVMBuildPtrToInt(t->g.b, LLVMGetOperand(made, 0), t->i64, "");
    update(t, at, e->least[k], LLVMIntSLT);
    update(t, at, e->greatest[k], LLVMIntSGT);
}

bool prep_find_extents(prep_extents *e, prep_tables *t) {
    LLVMBasicBlockRef block;
    e->pairs = 0;
    for (size_t b = 0; t->needs.steps && (block = br_loop_block(t->g.l, b)); b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            for (size_t k = 0; br_may_write(i) && k < t->needs.calls; k++) {
                if (!br_may_ever_change(t->g.f, i, t->needs.call[k]))
                    continue;
                if (e->pairs == EXTENTS_MAX || !LLVMIsAStoreInst(i))
                    return false;
                e->pair[e->pairs++] = (prep_extent_pair){.store = i, .call = k};
            }
    return true;
}

static bool is_watched(const prep_extents *e, size_t call) {
    bool is = false;
    for (size_t k = 0; k < e->pairs && !is; k++)
        is = e->pair[k].call == call;
    return is;
}

/* Requires that the entries are apart from what is stored. */
static bool require_apart(prep_extents *e, prep_tables *t, const prep_extent_pair *p) {
    LLVMTypeRef type = LLVMTypeOf(t->made[p->call]);
    LLVMTargetDataRef layout =
        LLVMGetModuleDataLayout(LLVMGetGlobalParent(LLVMGetBasicBlockParent(t->sweep[0])));
    LLVMValueRef bytes = LLVMConstInt(t->g.wide, LLVMStoreSizeOfType(layout, type), false);
    LLVMPositionBuilderBefore(t->g.b, t->g.in_front);
    LLVMValueRef low = LLVMBuildLoad2(t->g.b, t->i64, e->least[p->call], "");
    LLVMValueRef high = LLVMBuildLoad2(t->g.b, t->i64, e->greatest[p->call], "");
    low = LLVMBuildSExt(t->g.b, low, t->g.wide, "");
    high = LLVMBuildAdd(t->g.b, LLVMBuildSExt(t->g.b, high, t->g.wide, ""), bytes, "");
    return prep_guard_outside(&t->g, p->store, low, high);
}

/* Where the test fails, the memory is given back, and the program's own loop runs. */
static void branch_off(prep_tables *t, LLVMBasicBlockRef before, LLVMBasicBlockRef filled) {
    LLVMContextRef c = LLVMGetTypeContext(t->i64);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(filled);
    LLVMBasicBlockRef fail = LLVMInsertBasicBlockInContext(c, t->own[0], "");
    LLVMPositionBuilderAtEnd(t->g.b, fail);
    LLVMInstructionSetDebugLoc(LLVMBuildBr(t->g.b, t->own[0]), LLVMInstructionGetDebugLoc(end));
    br_come_from(t->own[0], before, fail);
    prep_tables_drop(t, fail);
    LLVMPositionBuilderBefore(t->g.b, end);
    LLVMInstructionSetDebugLoc(LLVMBuildCondBr(t->g.b, t->g.all, t->sweep[0], fail),
                               LLVMInstructionGetDebugLoc(end));
    LLVMInstructionEraseFromParent(end);
}

bool prep_test_extents(prep_extents *e, prep_tables *t, LLVMBasicBlockRef before,
                       LLVMBasicBlockRef filled) {
    if (e->pairs == 0)
        return true;
    t->g.in_front = LLVMGetBasicBlockTerminator(before);
    for (size_t k = 0; k < t->needs.calls; k++)
        if (is_watched(e, k))
            watch(e, t, k);
    br_function_invalidate(t->g.f);
    br_function_fold(t->g.f); /* the sweep is entered from one block only */
    br_function_invalidate(t->g.f);
    t->g.l = prep_loop_at(t->g.f, t->sweep[0]);
    t->g.in_front = LLVMGetBasicBlockTerminator(filled);
    t->g.all = NULL;
    bool good = t->g.l != NULL;
    for (size_t k = 0; k < e->pairs && good; k++)
        good = require_apart(e, t, &e->pair[k]);
    if (good)
        branch_off(t, before, filled);
    return good;
}
