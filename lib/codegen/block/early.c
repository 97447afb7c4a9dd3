/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Numbers that the program reads behind branches: `if (x < 1 || x >= p->nx) return;`.
 *
 * The new body needs them at the kernel's entry. The program may never come to such a load, and
 * then its place may not be readable. So one thread of the launch is looked at, the last of the
 * middle block: whether it comes to the load is computed at the entry, from the conditions of the
 * branches before it. If it does, the program reads there. If not, other memory is read, and the
 * old body runs. No thread may write there while others read: the entry tests this, too.
 */
#include "codegen/block/gen.h"
#include "target/uniform.h"

enum { MAX_DEPTH = ST_LIMIT(48, 6), MAX_WORK = ST_LIMIT(512, 32), MAX_BLOCKS = ST_LIMIT(32, 4) };

typedef struct witness {
    blk_gen *g;
    blk_uniform_fn *uniform;
    int work, nblocks;
    LLVMBasicBlockRef blocks[MAX_BLOCKS]; /* on the way back that is looked at */
} witness;

/* Its number in its block, or the number of its block. */
static LLVMValueRef number_of(witness *w, tg_launch_value value, int dim, LLVMTypeRef t) {
    LLVMBuilderRef b = w->g->e.b;
    bool thread = value == TG_THREAD, own = thread || value == TG_BLOCK;
    tg_launch_value size = thread ? TG_BLOCK_SIZE : own ? TG_BLOCK_COUNT : value;
    LLVMValueRef v = blk_launched(w->g, size, dim), one = LLVMConstInt(LLVMTypeOf(v), 1, false);
    if (own)
        v = thread ? LLVMBuildSub(b, v, one, "") : LLVMBuildLShr(b, v, one, "");
    return LLVMBuildIntCast2(b, v, t, false, "");
}

static bool computes(LLVMValueRef v) {
    if (LLVMIsACallInst(v))
        return tg_is_plain_call(v);
    return !LLVMIsALoadInst(v) && !LLVMIsAPHINode(v) && !LLVMIsAAllocaInst(v) && !br_may_write(v) &&
           !LLVMIsATerminatorInst(v);
}

/* The value that v has for the witness; NULL: that is not known. */
static LLVMValueRef value_of(witness *w, LLVMValueRef v, int depth) {
    tg_launch_value value;
    int dim;
    if (!LLVMIsAInstruction(v))
        return v;
    if (depth == MAX_DEPTH || w->work++ == MAX_WORK)
        return NULL;
    if (tg_reads_launch(v, &value, &dim))
        return number_of(w, value, dim, LLVMTypeOf(v));
    if (tg_is_uniform_number(v))
        return w->uniform(w->g, v);
    LLVMValueRef operands[3];
    int count = tg_operand_count(v);
    if (!computes(v) || count > 3)
        return NULL;
    for (int i = 0; i < count; i++)
        if (!(operands[i] = value_of(w, LLVMGetOperand(v, (unsigned)i), depth + 1)))
            return NULL;
    /* The program perhaps does not divide for this thread. */
    if (blk_divides(v) && !LLVMIsConstant(operands[1]))
        operands[1] = blk_safe_divisor(w->g, operands[1]);
    LLVMValueRef copy = LLVMInstructionClone(v);
    for (int i = 0; i < count; i++)
        LLVMSetOperand(copy, (unsigned)i, operands[i]);
    br_drop_promises(copy);
    LLVMInsertIntoBuilder(w->g->e.b, copy);
    return copy;
}

static LLVMValueRef comes_to(witness *w, LLVMBasicBlockRef b);

/* Does it come to b by this branch? NULL: that is not known. */
static LLVMValueRef comes_by(witness *w, LLVMValueRef end, LLVMBasicBlockRef b) {
    LLVMBuilderRef builder = w->g->e.b;
    LLVMTypeRef i1 = LLVMInt1TypeInContext(w->g->e.context);
    bool chooses = br_is_conditional(end), known = chooses || LLVMGetNumSuccessors(end) == 1;
    LLVMValueRef comes = known ? comes_to(w, LLVMGetInstructionParent(end)) : NULL;
    if (!comes || !chooses || LLVMGetSuccessor(end, 0) == LLVMGetSuccessor(end, 1))
        return comes;
    LLVMValueRef condition = value_of(w, LLVMGetCondition(end), 0);
    if (!condition)
        return NULL;
    condition = LLVMBuildFreeze(builder, condition, "");
    if (LLVMGetSuccessor(end, 0) != b)
        condition = LLVMBuildNot(builder, condition, "");
    return LLVMBuildSelect(builder, comes, condition, LLVMConstInt(i1, 0, false), "");
}

/* An i1: does the witness come to the block? It does if it comes by any way that is known. */
static LLVMValueRef comes_to(witness *w, LLVMBasicBlockRef b) {
    LLVMTypeRef i1 = LLVMInt1TypeInContext(w->g->e.context);
    LLVMValueRef any = NULL;
    if (b == LLVMGetInstructionParent(w->g->cut))
        return LLVMConstInt(i1, 1, false);
    for (int i = 0; i < w->nblocks; i++)
        if (w->blocks[i] == b)
            return NULL; /* by a loop: it was there before */
    if (w->nblocks == MAX_BLOCKS || w->work++ == MAX_WORK)
        return NULL;
    w->blocks[w->nblocks++] = b;
    for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(b)); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef end = LLVMIsATerminatorInst(LLVMGetUser(u));
        LLVMValueRef comes = end ? comes_by(w, end, b) : NULL;
        any = comes && any ? LLVMBuildOr(w->g->e.b, any, comes, "") : comes ? comes : any;
    }
    w->nblocks--;
    return any;
}

enum { MOST_BYTES = 8 };

/* Memory that may be read: MOST_BYTES zeros. NULL: pointers of this kind do not reach it. */
static LLVMValueRef readable(blk_gen *g, LLVMTypeRef pointer) {
    enum { GLOBAL = 1 };
    static const char name[] = "stencilopt.nothing";
    unsigned space = LLVMGetPointerAddressSpace(pointer);
    LLVMTypeRef t = gen_i64(&g->e);
    LLVMValueRef zeros = LLVMGetNamedGlobal(g->e.module, name);
    if (!zeros) {
        zeros = LLVMAddGlobalInAddressSpace(g->e.module, t, name, GLOBAL);
        LLVMSetInitializer(zeros, LLVMConstNull(t));
        LLVMSetLinkage(zeros, LLVMInternalLinkage);
        LLVMSetGlobalConstant(zeros, true);
        LLVMSetAlignment(zeros, MOST_BYTES);
    }
    return space == GLOBAL ? zeros : space == 0 ? LLVMConstAddrSpaceCast(zeros, pointer) : NULL;
}

static int64_t bytes_of(const blk_gen *g, LLVMValueRef load) {
    return (int64_t)LLVMStoreSizeOfType(LLVMGetModuleDataLayout(g->e.module), LLVMTypeOf(load));
}

/* The load as it is made at the entry; NULL: it cannot be. */
static LLVMValueRef load_early(blk_gen *g, LLVMValueRef load, LLVMValueRef address,
                               blk_uniform_fn *uniform) {
    witness w = {.g = g, .uniform = uniform};
    if (bytes_of(g, load) > MOST_BYTES)
        return NULL;
    LLVMValueRef comes = comes_to(&w, LLVMGetInstructionParent(load));
    LLVMValueRef instead = comes ? readable(g, LLVMTypeOf(address)) : NULL;
    if (!instead)
        return NULL;
    LLVMValueRef copy = LLVMInstructionClone(load);
    LLVMSetOperand(copy, 0, LLVMBuildSelect(g->e.b, comes, address, instead, ""));
    if (LLVMGetAlignment(copy) > MOST_BYTES)
        LLVMSetAlignment(copy, MOST_BYTES);
    br_drop_promises(copy);
    LLVMInsertIntoBuilder(g->e.b, copy);
    blk_require(g, comes);
    return copy;
}

LLVMValueRef blk_early(blk_gen *g, LLVMValueRef load, LLVMValueRef address,
                       blk_uniform_fn *uniform) {
    for (int i = 0; i < g->nearly; i++)
        if (g->early[i].load == load)
            return g->early[i].value; /* NULL, too, where the way to it depends on itself */
    if (g->nearly == BLK_MAX_EARLY)
        return NULL;
    blk_early_number *n = &g->early[g->nearly++];
    *n = (blk_early_number){load, address, NULL};
    return n->value = load_early(g, load, address, uniform);
}

void blk_require_unwritten(blk_gen *g, LLVMValueRef first, LLVMValueRef end) {
    for (int i = 0; i < g->nearly; i++) {
        const blk_early_number *n = &g->early[i];
        if (!n->value)
            continue;
        int64_t bytes = bytes_of(g, n->load);
        LLVMValueRef at = LLVMBuildPtrToInt(g->e.b, n->address, gen_i64(&g->e), "");
        LLVMValueRef before = LLVMBuildICmp(g->e.b, LLVMIntULE, blk_plus(g, at, bytes), first, "");
        LLVMValueRef behind = LLVMBuildICmp(g->e.b, LLVMIntULE, end, at, "");
        blk_require(g, LLVMBuildOr(g->e.b, before, behind, ""));
    }
}
