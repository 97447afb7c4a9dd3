/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * LLVM peels iterations off a loop whose body tests for the first or the last one, as stencils do
 * that clamp an index there, and makes two of an inner loop that tests an outer one's counter. What
 * is left is another statement in other loops. It unrolls a loop with few iterations, such as one
 * over the edge of a small array. So loops that load and store, that load and hand
 * a sum or the like on to the loop around, or that store cells one after the other, and in which
 * there are no loops but over a few neighbours, are kept whole until stencil-offload has seen them.
 * br_function_split then makes LLVM's changes that were put off. Loops of kernels over the cells of
 * a thread are kept from being peeled until stencil-block has seen them.
 *
 * Bodies with such loops that thin LTO brought in from other files stay until then, too: calls.c
 * puts them into the time loops that call them.
 */
#include "prepare/whole.h"

#include "model/fixed_limits.h"
#include "target/host.h"
#include "target/target.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_BLOCKS = ST_LIMIT(64, 3), /* of a loop that is looked at */
    FEWEST_CELLS = 28,
    MOST_CELLS = 1024,
    MOST_TAPS = 17, /* two times the radius, and one */
    MOST_TAP_LOOPS = 4,
    MOST_JOINED = 3 /* depth of a condition made of conditions */
};

static bool loads_and_stores(br_loop l) {
    LLVMBasicBlockRef blocks[MAX_BLOCKS];
    bool loads = false, stores = false;
    size_t count = br_loop_blocks(l, blocks, MAX_BLOCKS);
    for (size_t b = 0; b < count && b < MAX_BLOCKS; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(blocks[b]); i;
             i = LLVMGetNextInstruction(i)) {
            loads |= LLVMIsALoadInst(i) != NULL;
            stores |= LLVMIsAStoreInst(i) != NULL;
        }
    return loads && stores;
}

/* Does it load, and hand a value on to the iterations of the loop around, as a loop does that adds
 * up or compares all cells? */
static bool loads_and_hands_on(br_loop l) {
    LLVMBasicBlockRef blocks[MAX_BLOCKS];
    br_loop around = br_loop_parent(l);
    bool loads = false, hands_on = false;
    size_t count = around ? br_loop_blocks(l, blocks, MAX_BLOCKS) : 0;
    for (size_t b = 0; b < count && b < MAX_BLOCKS && !loads; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(blocks[b]); i && !loads;
             i = LLVMGetNextInstruction(i))
            loads = LLVMIsALoadInst(i) != NULL;
    LLVMValueRef phi = loads ? LLVMGetFirstInstruction(br_loop_header(l)) : NULL;
    for (; phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
            LLVMValueRef start = LLVMGetIncomingValue(phi, i);
            hands_on |= !br_loop_contains(l, LLVMGetIncomingBlock(phi, i)) &&
                        LLVMIsAPHINode(start) &&
                        LLVMGetInstructionParent(start) == br_loop_header(around);
        }
    return hands_on;
}

/* May the value be the same in all iterations? Loads count as such: LLVM takes loads that do not
 * change, such as of an object's member, out of the loop later. */
static bool may_be_invariant(br_function *f, br_loop l, LLVMValueRef v, int depth) {
    if (LLVMIsConstant(v) || br_scev_invariant(f, br_scev_of(f, v), l))
        return true;
    LLVMOpcode op = LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : LLVMRet;
    bool follows = op == LLVMLoad || op == LLVMICmp || op == LLVMAdd || op == LLVMSub;
    for (int i = 0; follows && i < LLVMGetNumOperands(v); i++)
        follows = depth > 0 && may_be_invariant(f, l, LLVMGetOperand(v, (unsigned)i), depth - 1);
    return follows;
}

/* Is a condition one that does not change in the loop, or several of which one does not? */
static bool has_invariant_part(br_function *f, br_loop l, LLVMValueRef c, int depth) {
    if (LLVMIsConstant(c))
        return false;
    if (may_be_invariant(f, l, c, MOST_JOINED))
        return true;
    LLVMOpcode op = LLVMIsAInstruction(c) ? LLVMGetInstructionOpcode(c) : LLVMRet;
    bool joins = op == LLVMAnd || op == LLVMOr || op == LLVMSelect;
    for (int i = 0; joins && depth > 0 && i < LLVMGetNumOperands(c); i++)
        if (has_invariant_part(f, l, LLVMGetOperand(c, (unsigned)i), depth - 1))
            return true;
    return false;
}

/* Does the loop choose between two ways by what does not change in it? Then LLVM, from -O3 on,
 * makes two loops of it. */
static bool chooses_for_all(br_function *f, br_loop l) {
    LLVMBasicBlockRef blocks[MAX_BLOCKS];
    size_t count = br_loop_blocks(l, blocks, MAX_BLOCKS);
    for (size_t b = 0; b < count && b < MAX_BLOCKS; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(blocks[b]); i;
             i = LLVMGetNextInstruction(i)) {
            bool branches = br_is_conditional(i);
            if (!branches && !LLVMIsASelectInst(i))
                continue;
            LLVMValueRef c = branches ? LLVMGetCondition(i) : LLVMGetOperand(i, 0);
            if (has_invariant_part(f, l, c, MOST_JOINED))
                return true;
        }
    return false;
}

/* Is the phi a counter: a sum or a pointer that each iteration moves on? */
static bool counts(LLVMValueRef phi, LLVMBasicBlockRef latch) {
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef next = LLVMGetIncomingValue(phi, i);
        if (LLVMGetIncomingBlock(phi, i) != latch)
            continue;
        if (!LLVMIsAInstruction(next) || LLVMGetNumOperands(next) < 1 ||
            LLVMGetOperand(next, 0) != phi)
            return false;
        LLVMOpcode op = LLVMGetInstructionOpcode(next);
        return op == LLVMAdd || op == LLVMFAdd || op == LLVMGetElementPtr;
    }
    return false;
}

/* May the value depend on a counter: is it computed in the loop, and not loaded? */
static bool may_count(br_loop l, LLVMValueRef v) {
    while (LLVMIsACastInst(v))
        v = LLVMGetOperand(v, 0);
    return LLVMIsAInstruction(v) && !LLVMIsALoadInst(v) &&
           br_loop_contains(l, LLVMGetInstructionParent(v));
}

/* May LLVM peel iterations off the loop? It does where a counter is compared, and where the
 * minimum, the maximum or the remainder of a counter is taken. It also does where a value of the
 * iteration before becomes constant. It does not where the loop compares its counter only to end.
 */
static bool may_be_peeled(br_loop l) {
    LLVMBasicBlockRef blocks[64], latch = br_loop_latch(l);
    size_t count = br_loop_blocks(l, blocks, 64), compares = 0;
    bool other = count > 64 || !latch;
    for (size_t b = 0; b < count && !other; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(blocks[b]); i && !other;
             i = LLVMGetNextInstruction(i)) {
            compares += LLVMIsAICmpInst(i) &&
                        (may_count(l, LLVMGetOperand(i, 0)) || may_count(l, LLVMGetOperand(i, 1)));
            LLVMOpcode op = LLVMGetInstructionOpcode(i);
            other = LLVMIsASwitchInst(i) || LLVMIsACallInst(i) || op == LLVMURem ||
                    op == LLVMSRem ||
                    (LLVMIsAPHINode(i) && blocks[b] == br_loop_header(l) && !counts(i, latch));
        }
    return other || compares > 1;
}

/* Does it store to an address that changes with its counter? */
static bool walks(br_function *f, br_loop l) {
    LLVMBasicBlockRef blocks[MAX_BLOCKS];
    size_t count = br_loop_blocks(l, blocks, MAX_BLOCKS);
    for (size_t b = 0; b < count && b < MAX_BLOCKS; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(blocks[b]); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsAStoreInst(i) &&
                !br_scev_invariant(f, br_scev_of(f, LLVMGetOperand(i, 1)), l))
                return true;
    return false;
}

/* Is it a loop over an edge, which assigns several cells? Its function may be inlined in a time
 * loop. */
static bool stores_several(br_loop l) {
    LLVMBasicBlockRef blocks[MAX_BLOCKS];
    size_t count = br_loop_blocks(l, blocks, MAX_BLOCKS), stores = 0;
    for (size_t b = 0; b < count && b < MAX_BLOCKS; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(blocks[b]); i; i = LLVMGetNextInstruction(i))
            stores += LLVMIsAStoreInst(i) != NULL;
    return stores > 1;
}

/* Does the loop run so often that it walks cells, not neighbours or components, and so seldom that
 * LLVM may unroll it fully? */
static bool may_be_unrolled(br_function *f, br_loop l) {
    br_scev back = br_backedge_count(f, l);
    int64_t count;
    return back && br_scev_int(back, &count) && count >= FEWEST_CELLS && count <= MOST_CELLS &&
           walks(f, l);
}

/* Are all loops in it over a few neighbours or components, which LLVM unrolls? */
static bool has_only_taps(br_function *f, br_loop l) {
    br_loop inner[MOST_TAP_LOOPS];
    size_t count = br_loop_children(l, inner, MOST_TAP_LOOPS);
    bool taps = count <= MOST_TAP_LOOPS;
    for (size_t i = 0; i < count && taps; i++) {
        int64_t back;
        br_scev last = br_backedge_count(f, inner[i]);
        taps = last && br_scev_int(last, &back) && back < MOST_TAPS && has_only_taps(f, inner[i]);
    }
    return taps;
}

/* A loop that ends in several places is no sweep. In a kernel, a loop may be one over the cells of
 * a thread. LLVM does not unswitch loops of kernels, and may unroll them as it likes. */
static bool keep_whole(br_function *f, br_loop l, unsigned level, bool of_kernel) {
    if (!has_only_taps(f, l) || !br_loop_exiting_block(l))
        return false;
    bool accesses = loads_and_stores(l) || (!of_kernel && loads_and_hands_on(l));
    bool rolled = !of_kernel && may_be_unrolled(f, l);
    bool inner = br_loop_parent(l) || stores_several(l);
    bool unswitched = !of_kernel && accesses && level > 2 && inner && chooses_for_all(f, l);
    return (rolled || unswitched || (accesses && may_be_peeled(l))) &&
           br_loop_keep_whole(l, level, unswitched, rolled);
}

/* LLVM inlines a static function that is called once whatever its size, as sweeps in C mostly are;
 * a procedure of a Fortran module never is static. */
static void want_inlined(LLVMValueRef function) {
    static const char threshold[] = "function-inline-threshold", much[] = "15000";
    size_t length;
    LLVMValueRef user = NULL;
    LLVMModuleRef m = LLVMGetGlobalParent(function);
    if (strcmp(LLVMGetSourceFileName(m, &length), "FIRModule") != 0) /* as flang names all */
        return;
    LLVMUseRef use = LLVMGetFirstUse(function);
    if (use && !LLVMGetNextUse(use))
        user = LLVMGetUser(use);
    if (!user || !LLVMIsACallInst(user) || LLVMGetCalledValue(user) != function ||
        LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, threshold,
                                      sizeof threshold - 1))
        return;
    LLVMContextRef c = LLVMGetModuleContext(m);
    LLVMAddAttributeAtIndex(
        function, LLVMAttributeFunctionIndex,
        LLVMCreateStringAttribute(c, threshold, sizeof threshold - 1, much, sizeof much - 1));
}

bool prep_keep_whole(br_function *f, LLVMValueRef function, unsigned level) {
    bool changed = false, sweeps = false;
    LLVMModuleRef m = LLVMGetGlobalParent(function);
    bool kernels = tg_of_module(m) != NULL;
    if (!br_may_loop(function) || !(kernels || tg_has_runtime(m)))
        return false;
    size_t count = br_loops(f, NULL, 0);
    br_loop *loops = malloc((count + 1) * sizeof *loops);
    br_loops(f, loops, count);
    for (size_t i = 0; i < count; i++) {
        changed |= keep_whole(f, loops[i], level, kernels);
        sweeps = sweeps || loads_and_stores(loops[i]);
    }
    free(loops);
    if (kernels)
        return changed;
    if (changed)
        want_inlined(function);
    return (sweeps && br_function_keep_body(function)) || changed;
}

bool prep_mend(br_function *f) {
    bool mended = prep_mend_sinks(f);
    mended |= prep_mend_picks(f);
    mended |= prep_mend_joins(f);
    mended |= prep_mend_switches(f);
    mended |= prep_mend_flags(f);
    mended |= prep_lift_arrays(f);
    mended |= prep_mend_counters(f);
    if (mended)
        br_function_invalidate(f);
    return mended;
}
