/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "block_gen.h"

#include <stdlib.h>
#include <string.h>

/* The first instruction that does more than compute: what comes before runs in any case. */
static LLVMValueRef find_cut(kernel_region *k) {
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(k->region.function);
    LLVMValueRef i = LLVMGetFirstInstruction(entry);
    for (; i != LLVMGetBasicBlockTerminator(entry); i = LLVMGetNextInstruction(i)) {
        int dim;
        if (LLVMIsAStoreInst(i) ||
            (LLVMIsALoadInst(i) && !kernel_is_uniform(i)) ||
            (LLVMIsACallInst(i) && kernel_role_of(i, &dim) == KERNEL_NO_ROLE &&
             !kernel_is_uniform(i)))
            break;
    }
    return i;
}

static void move(LLVMBuilderRef b, LLVMValueRef i) {
    size_t length;
    char *name = strdup(LLVMGetValueName2(i, &length));
    LLVMInstructionRemoveFromParent(i);
    LLVMInsertIntoBuilderWithName(b, i, name);
    free(name);
}

/* What is before the cut becomes the new entry; the rest, and local variables, stay behind. */
static LLVMBasicBlockRef split_entry(blk_gen *g) {
    LLVMBasicBlockRef old = LLVMGetEntryBasicBlock(g->function);
    LLVMBasicBlockRef entry = LLVMInsertBasicBlockInContext(g->e.context, old, "entry");
    LLVMValueRef next, i = LLVMGetFirstInstruction(old);
    bool before = true;
    LLVMPositionBuilderAtEnd(g->e.b, entry);
    for (; i; i = next) {
        next = LLVMGetNextInstruction(i);
        before &= i != g->cut;
        if (before || LLVMIsAAllocaInst(i))
            move(g->e.b, i);
    }
    return old;
}

/* Takes back what was computed before the cut, after `last`. */
static void forget(blk_gen *g, LLVMValueRef last) {
    for (LLVMValueRef before, i = LLVMGetPreviousInstruction(g->cut); i && i != last; i = before) {
        before = LLVMGetPreviousInstruction(i);
        if (!LLVMGetFirstUse(i))
            LLVMInstructionEraseFromParent(i);
    }
}

static void branch(blk_gen *g, LLVMValueRef condition, LLVMBasicBlockRef yes,
                   LLVMBasicBlockRef no) {
    if (condition)
        LLVMBuildCondBr(g->e.b, condition, yes, no);
    else
        LLVMBuildBr(g->e.b, yes);
    LLVMPositionBuilderAtEnd(g->e.b, yes);
}

static void replace(blk_gen *g) {
    LLVMBasicBlockRef old = split_entry(g);
    LLVMBasicBlockRef blocked = blk_block(g, "blocked"), leader = blk_block(g, "leader");
    g->done = blk_block(g, "done");
    branch(g, g->holds, blocked, old);
    branch(g, g->leads, leader, g->done);
    blk_emit_bodies(g);
    LLVMPositionBuilderAtEnd(g->e.b, g->done);
    LLVMBuildRetVoid(g->e.b);
}

static const blk_source *source_of(const blk_plan *p) {
    return p->cache == BLK_LDS ? &blk_lds : p->cache == BLK_REG ? &blk_reg : &blk_l1;
}

bool gen_block(kernel_region *k, const blk_plan *p, const tg_target *t) {
    blk_gen *g = calloc(1, sizeof *g);
    g->k = k;
    g->s = k->region.stencil;
    g->p = p;
    g->function = k->region.function;
    g->source = source_of(p);
    g->e.module = LLVMGetGlobalParent(g->function);
    g->e.context = LLVMGetModuleContext(g->e.module);
    g->e.b = LLVMCreateBuilderInContext(g->e.context);
    g->e.target = t;
    g->cut = find_cut(k);
    LLVMValueRef last = LLVMGetPreviousInstruction(g->cut);
    LLVMPositionBuilderBefore(g->e.b, g->cut);
    bool good = blk_find_values(g) && blk_find_axes(g) && blk_find_checks(g);
    if (good)
        replace(g);
    else
        forget(g, last);
    LLVMDisposeBuilder(g->e.b);
    free(g->origin);
    free(g->stride);
    free(g->scalars);
    free(g);
    return good;
}
