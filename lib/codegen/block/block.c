/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Replaces a kernel's body in place: the entry test, the interior, the border, and the old body for
 * the rest. gen.h has the drawing.
 */
#include "codegen/block/gen.h"
#include "target/uniform.h"

#include <stdlib.h>
#include <string.h>

/* The first instruction that does more than compute a value. What comes before it runs in any
 * case. */
static LLVMValueRef find_cut(const st_launch *l) {
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(l->function);
    LLVMValueRef i = LLVMGetFirstInstruction(entry);
    for (; i != LLVMGetBasicBlockTerminator(entry); i = LLVMGetNextInstruction(i)) {
        tg_launch_value value;
        int dim;
        if (LLVMIsAStoreInst(i) || (LLVMIsALoadInst(i) && !tg_is_uniform(i)) ||
            (LLVMIsACallInst(i) && !tg_reads_launch(i, &value, &dim) && !tg_is_uniform(i)))
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

/* What is before the cut becomes the new entry. The rest, and the local variables, stay in the old
 * one. */
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

void gen_block_drop_attributes(LLVMValueRef kernel, LLVMValueRef as) {
    static const char *const names[] = {"nosync", "memory"};
    for (int i = 0; i < 2; i++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(names[i], strlen(names[i]));
        if (!as || !LLVMGetEnumAttributeAtIndex(as, LLVMAttributeFunctionIndex, kind))
            LLVMRemoveEnumAttributeAtIndex(kernel, LLVMAttributeFunctionIndex, kind);
    }
}

/* A stride loop: thread t begins with the cells of item number t, and goes on by as many as there
 * are threads. Items are numbered along the first of C rows, then along the first of the next C. */
static void emit_loop(blk_gen *g) {
    LLVMTypeRef i64 = gen_i64(&g->e);
    LLVMValueRef cells = gen_int64(&g->e, g->p->coarsen);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->e.b),
                      head = gen_add_block(g->function, "items");
    LLVMBasicBlockRef item = gen_add_block(g->function, "item"),
                      done = gen_add_block(g->function, "done");
    LLVMValueRef groups = LLVMBuildSDiv(g->e.b, blk_plus(g, g->rows, g->p->coarsen - 1), cells, "");
    LLVMValueRef items = LLVMBuildMul(g->e.b, groups, g->flat_step, "");
    LLVMBuildBr(g->e.b, head);
    LLVMPositionBuilderAtEnd(g->e.b, head);
    LLVMValueRef number = LLVMBuildPhi(g->e.b, i64, "");
    LLVMBuildCondBr(g->e.b, gen_less(&g->e, number, items), item, done);
    LLVMPositionBuilderAtEnd(g->e.b, g->done);
    LLVMValueRef next = blk_add(g, number, g->flat_total), incoming[] = {g->flat, next};
    LLVMBasicBlockRef from[] = {before, g->done};
    LLVMAddIncoming(number, incoming, from, 2);
    LLVMBuildBr(g->e.b, head);
    LLVMPositionBuilderAtEnd(g->e.b, item);
    LLVMTypeRef i32 = gen_i32(&g->e);
    LLVMValueRef group = LLVMBuildUDiv(g->e.b, LLVMBuildTrunc(g->e.b, number, i32, ""),
                                       LLVMBuildTrunc(g->e.b, g->flat_step, i32, ""), "");
    group = LLVMBuildZExt(g->e.b, group, i64, "");
    LLVMValueRef row = LLVMBuildMul(g->e.b, group, cells, "");
    LLVMValueRef skipped = LLVMBuildMul(g->e.b, blk_sub(g, row, group), g->flat_step, "");
    g->flat = blk_add(g, number, skipped);
    blk_place_flat(g, g->flat, row);
    blk_emit_bodies(g);
    LLVMPositionBuilderAtEnd(g->e.b, done);
    LLVMBuildRetVoid(g->e.b);
}

static const blk_source *source_of(const blk_plan *p) {
    return p->cache == BLK_LDS ? &blk_lds : p->cache == BLK_REG ? &blk_reg : &blk_l1;
}

/* Marks the branch's first way as the likely one. Else LLVM would compute the conditions of both
 * ways in any case. */
static void expect_first(blk_gen *g, LLVMValueRef branch) {
    LLVMContextRef c = g->e.context;
    LLVMMetadataRef parts[] = {LLVMMDStringInContext2(c, "branch_weights", 14),
                               LLVMValueAsMetadata(gen_int32(&g->e, 2000)),
                               LLVMValueAsMetadata(gen_int32(&g->e, 1))};
    LLVMValueRef weights = LLVMMetadataAsValue(c, LLVMMDNodeInContext2(c, parts, 3));
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(c, "prof", 4), weights);
}

/* The threads of a launch by one of the plans. */
typedef struct placement {
    blk_axis axes[ST_MAX_RANK];
    LLVMValueRef leads, share, shares, aligned;
} placement;

static bool find_placement(blk_gen *g, const blk_plan *p, placement *out) {
    g->p = p;
    g->source = source_of(p);
    g->leads = g->share = g->shares = NULL;
    if (!blk_find_axes(g))
        return false;
    memcpy(out->axes, g->axes, sizeof out->axes);
    out->leads = g->leads;
    out->share = g->share;
    out->shares = g->shares;
    out->aligned = blk_is_aligned(g);
    return true;
}

static void use_placement(blk_gen *g, const blk_plan *p, const placement *from) {
    g->p = p;
    g->source = source_of(p);
    memcpy(g->axes, from->axes, sizeof g->axes);
    g->leads = from->leads;
    g->share = from->share;
    g->shares = from->shares;
    blk_narrow_axes(g);
}

/* Finds rows whose length is a number of few bits. The kernel's entry tests that such numbers are
 * small. */
static void find_rows(blk_gen *g) {
    g->row = calloc(g->s->ngrids, sizeof *g->row);
    for (size_t i = 0; i < g->s->ngrids; i++)
        for (int d = 1; d < g->s->rank; d++) {
            poly p = g->l->grids[i].stride[d];
            int64_t size = (int64_t)st_type_size(g->s->grids[i].type);
            if (poly_count(p) != 1 || poly_terms(p)[0].degree != 1 ||
                poly_terms(p)[0].factor != size)
                continue;
            LLVMValueRef row = blk_atom(g, poly_terms(p)[0].atoms[0]);
            if (LLVMIsAZExtInst(row) && LLVMTypeOf(LLVMGetOperand(row, 0)) == gen_i32(&g->e))
                g->row[i][d] = row;
        }
}

static void replace(blk_gen *g, const blk_plan *plans, const placement *placements, int count) {
    if (g->source->scope != BLK_THREAD)
        gen_block_drop_attributes(g->function, NULL);
    LLVMBasicBlockRef old = split_entry(g), next = gen_add_block(g->function, "blocked");
    g->done = gen_add_block(g->function, g->rows ? "next_item" : "done");
    /* This test has few instructions, so it comes before the others. */
    if (count == 1 && placements[0].aligned)
        branch(g, placements[0].aligned, gen_add_block(g->function, "aligned"), old);
    if (g->quick) {
        LLVMBasicBlockRef sizes = gen_add_block(g->function, "sizes"),
                          exact = gen_add_block(g->function, "exact");
        branch(g, g->holds, sizes, old);
        expect_first(g, LLVMBuildCondBr(g->e.b, g->quick, next, exact));
        LLVMPositionBuilderAtEnd(g->e.b, exact);
    } else if (g->holds) {
        LLVMBasicBlockRef exact = gen_add_block(g->function, "exact");
        branch(g, g->holds, exact, old);
    }
    branch(g, g->exact, next, old);
    g->checked = true;
    LLVMPositionBuilderAtEnd(g->e.b, next);
    find_rows(g);
    for (int i = 0; i < count; i++) {
        LLVMBasicBlockRef leader = gen_add_block(g->function, "leader"),
                          aligned = gen_add_block(g->function, "suits");
        LLVMPositionBuilderAtEnd(g->e.b, next);
        next = i + 1 < count ? gen_add_block(g->function, "unaligned") : old;
        use_placement(g, &plans[i], &placements[i]);
        branch(g, count > 1 ? placements[i].aligned : NULL, aligned, next);
        branch(g, g->leads, leader, g->done);
        if (g->rows)
            emit_loop(g);
        else
            blk_emit_bodies(g);
    }
    if (g->rows)
        return;
    LLVMPositionBuilderAtEnd(g->e.b, g->done);
    LLVMBuildRetVoid(g->e.b);
}

bool gen_block(const st_launch *l, const blk_plan *plans, int count, const tg_target *t,
               st_refusal *why) {
    blk_gen *g = calloc(1, sizeof *g);
    placement placements[2];
    g->l = l;
    g->why = why;
    g->s = l->stencil;
    g->function = l->function;
    g->e.module = LLVMGetGlobalParent(g->function);
    g->e.context = LLVMGetModuleContext(g->e.module);
    g->e.b = LLVMCreateBuilderInContext(g->e.context);
    g->e.target = t;
    g->e.calls = l->calls;
    g->has_readers = calloc(g->s->naccesses + 1, sizeof *g->has_readers);
    g->where = -1;
    g->cut = find_cut(l);
    LLVMValueRef last = LLVMGetPreviousInstruction(g->cut);
    LLVMPositionBuilderBefore(g->e.b, g->cut);
    bool good = blk_find_values(g);
    for (int i = 0; i < count && good; i++)
        good = find_placement(g, &plans[i], &placements[i]);
    good = good && blk_find_checks(g);
    if (good)
        replace(g, plans, placements, count);
    else
        forget(g, last);
    LLVMDisposeBuilder(g->e.b);
    free(g->origin);
    free(g->stride);
    free(g->row);
    free(g->scalars);
    free(g->has_readers);
    free(g);
    return good;
}
