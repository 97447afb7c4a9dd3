/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Blocks in another order: a block takes the numbers of another block, and so its threads take that
 * block's cells. Outer dimensions are folded into the rows: N. Prasetya (2022), section 4.1.2.
 */
#include "codegen/remap/place.h"
#include "codegen/remap/remap.h"
#include "target/target.h"

typedef struct numbers {
    LLVMValueRef of[ST_MAX_RANK];
} numbers;

static numbers read_all(LLVMBuilderRef b, tg_launch_value value, int ndims) {
    numbers n = {{NULL}};
    for (int d = 0; d < ndims; d++)
        n.of[d] = tg_launch(b, value, d);
    return n;
}

/* Are there fewer than 2^31 blocks? So few that all of this fits into 32 bits. */
static LLVMValueRef are_few(LLVMBuilderRef b, const numbers *counts, int ndims) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetTypeContext(LLVMTypeOf(counts->of[0])));
    LLVMValueRef all = LLVMBuildZExt(b, counts->of[0], i64, "");
    for (int d = 1; d < ndims; d++)
        all = LLVMBuildMul(b, all, LLVMBuildZExt(b, counts->of[d], i64, ""), "");
    return LLVMBuildICmp(b, LLVMIntULT, all, LLVMConstInt(i64, UINT64_C(1) << 31, false), "");
}

/* x + width * (y + height * z): blocks are started in this order. */
static LLVMValueRef number_of(LLVMBuilderRef b, const numbers *ids, const numbers *counts,
                              int ndims) {
    LLVMValueRef number = ids->of[ndims - 1];
    for (int d = ndims - 2; d >= 0; d--)
        number = LLVMBuildAdd(b, LLVMBuildMul(b, number, counts->of[d], ""), ids->of[d], "");
    return number;
}

static numbers unfold(LLVMBuilderRef b, place_cell c, const numbers *counts, int ndims,
                      LLVMValueRef inverse) {
    numbers n = {{c.x, c.y}};
    if (ndims == 3)
        n.of[2] = place_divide(b, c.y, counts->of[1], inverse, &n.of[1]);
    return n;
}

/* Launches of one column of blocks are common, and are to lose no time: they go to keep at once. */
static void leave_early(LLVMBuilderRef b, const order_plan *plan, const numbers *counts,
                        LLVMBasicBlockRef keep) {
    LLVMValueRef matters = place_matters(b, plan, counts->of[0]);
    if (!matters)
        return;
    LLVMBasicBlockRef several = place_add_block(keep, "order.several");
    LLVMBuildCondBr(b, matters, several, keep);
    LLVMPositionBuilderAtEnd(b, several);
}

static LLVMValueRef may_move(LLVMBuilderRef b, const order_plan *plan, const numbers *counts,
                             int ndims) {
    LLVMValueRef good = are_few(b, counts, ndims), few = place_i32(b, PLACE_QUOTIENTS);
    LLVMValueRef fits = place_fits(b, plan, counts->of[0]);
    if (fits)
        good = LLVMBuildAnd(b, good, fits, "");
    if (ndims < 3)
        return good;
    return LLVMBuildAnd(b, good, LLVMBuildICmp(b, LLVMIntULT, counts->of[2], few, ""), "");
}

void remap_blocks(LLVMValueRef function, const st_threads *t, const order_plan *plan) {
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(function));
    LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
    LLVMBasicBlockRef old = LLVMGetEntryBasicBlock(function), first = remap_open(b, function);
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(first));
    LLVMPositionBuilderAtEnd(b, first);
    numbers ids = read_all(b, TG_BLOCK, t->ndims), counts = read_all(b, TG_BLOCK_COUNT, t->ndims);
    LLVMBasicBlockRef keep = place_add_block(old, "order.keep");
    leave_early(b, plan, &counts, keep);
    LLVMValueRef good = may_move(b, plan, &counts, t->ndims), rows = counts.of[1], inverse = NULL;
    if (t->ndims == 3) {
        rows = LLVMBuildMul(b, rows, counts.of[2], "");
        inverse = place_inverse(b, counts.of[1]);
    }
    place_grid g = place_prepare(b, plan, counts.of[0], rows);
    place_ways w = place_branch(b, &g, number_of(b, &ids, &counts, t->ndims), good, keep);
    numbers way[2], all;
    for (int i = 0; i < 2; i++) {
        LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(w.from[i]));
        way[i] = unfold(b, w.cell[i], &counts, t->ndims, inverse);
    }
    LLVMPositionBuilderAtEnd(b, keep);
    LLVMBuildBr(b, w.end);
    LLVMPositionBuilderAtEnd(b, w.end);
    for (int d = 0; d < t->ndims; d++) {
        LLVMValueRef moved[] = {way[0].of[d], way[1].of[d]};
        all.of[d] = place_join(b, &w, moved, ids.of[d]);
    }
    LLVMBuildBr(b, old);
    for (int i = 0; i < t->blocks.count; i++)
        if (t->dims[i] < t->ndims)
            LLVMReplaceAllUsesWith(t->blocks.values[i], all.of[t->dims[i]]);
    LLVMDisposeBuilder(b);
}
