/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A time loop that sums up floating-point numbers in each step, a residual, and uses only the last
 * step's sum, behind the loop. To add them up in the program's order takes time, and keeps steps
 * from being blocked. In all steps but the last no one needs the sum:
 *
 *     for (t = 0; t < T; t++) {            for (t = 0; t < T - 1; t++)
 *         sum = 0;                             sweep(b, a), copy(a, b);
 *         sweep(b, a, &sum);          ->   sum = 0;
 *         copy(a, b);                      sweep(b, a, &sum);
 *     }                                    copy(a, b);
 *     return sum;                          return sum;
 *
 * The program's own body makes the last step. A copy of the body, with a counter of its own, makes
 * the other steps. Values that are not used in the copy, such as the sum, are deleted there.
 */
#include "prepare/last.h"
#include "detect/common/flow.h"
#include "model/fixed_limits.h"
#include "prepare/sequence.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

enum { MAX_BLOCKS = ST_LIMIT(512, 8) };

static bool is_real(LLVMValueRef v) {
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(v));
    return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

/* Is the value used behind the loop, and not in the next step? */
static bool is_last(br_loop l, LLVMValueRef v) {
    bool behind = false;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        LLVMBasicBlockRef block = LLVMGetInstructionParent(user);
        if (LLVMIsAPHINode(user) && block == br_loop_header(l))
            return false;
        behind |= !br_loop_contains(l, block);
    }
    return behind;
}

/* The block from which control comes into the loop, if it leads nowhere else. */
static LLVMBasicBlockRef before(br_loop l) {
    LLVMValueRef function = LLVMGetBasicBlockParent(br_loop_header(l));
    LLVMBasicBlockRef only = prep_entering_block(function, l);
    LLVMValueRef end = only ? LLVMGetBasicBlockTerminator(only) : NULL;
    return end && br_is_branch(end) && LLVMGetNumSuccessors(end) == 1 ? only : NULL;
}

/* The number of times that the loop goes back, or NULL: it cannot be computed in front. */
static br_scev goes_back(br_function *f, br_loop l, LLVMBasicBlockRef in_front) {
    br_scev back = br_backedge_count(f, l);
    bool good = back && br_scev_expandable(f, back, LLVMGetBasicBlockTerminator(in_front));
    return good ? back : NULL;
}

static bool can_part(br_function *f, br_loop l) {
    LLVMBasicBlockRef in_front = before(l);
    return host_tests_last(l) && in_front &&
           br_is_conditional(LLVMGetBasicBlockTerminator(br_loop_latch(l))) &&
           !br_loop_block(l, MAX_BLOCKS) && goes_back(f, l, in_front);
}

bool prep_has_last(br_function *f, br_loop l) {
    br_loop child;
    LLVMBasicBlockRef block;
    bool has = false;
    if (!br_loop_children(l, &child, 1))
        return false;
    for (size_t b = 0; !has && (block = br_loop_block(l, b)); b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && !has;
             i = LLVMGetNextInstruction(i))
            has = is_real(i) && is_last(l, i);
    return has && can_part(f, l);
}

/* Is the operand a floating-point number that each iteration of a loop hands on to the next? */
static bool is_handed_on(LLVMValueRef v) {
    return LLVMIsAPHINode(v) && LLVMCountIncoming(v) == 2 && is_real(v);
}

static bool adds_in_order(LLVMValueRef v) {
    const LLVMFastMathFlags free_order = LLVMFastMathAllowReassoc | LLVMFastMathNoSignedZeros;
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    if (LLVMIsACallInst(v))
        return LLVMGetNumArgOperands(v) == 3 && is_handed_on(LLVMGetOperand(v, 2));
    return (op == LLVMFAdd || op == LLVMFSub) &&
           (is_handed_on(LLVMGetOperand(v, 0)) || is_handed_on(LLVMGetOperand(v, 1))) &&
           (LLVMGetFastMathFlags(v) & free_order) != free_order;
}

bool prep_adds_in_order(br_loop l) {
    LLVMBasicBlockRef block;
    bool any = false;
    for (size_t b = 0; (block = br_loop_block(l, b)); b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            any = any || adds_in_order(i);
    return any;
}

/* The change */

/* Puts a branch in place of the block's last instruction; `condition` NULL: to `yes` alone. */
static void end_with(LLVMBuilderRef b, LLVMBasicBlockRef block, LLVMValueRef condition,
                     LLVMBasicBlockRef yes, LLVMBasicBlockRef no) {
    LLVMValueRef old = LLVMGetBasicBlockTerminator(block);
    LLVMPositionBuilderAtEnd(b, block);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(old));
    LLVMValueRef end = condition ? LLVMBuildCondBr(b, condition, yes, no) : LLVMBuildBr(b, yes);
    if (condition)
        br_copy_loop_properties(old, end);
    LLVMInstructionEraseFromParent(old);
}

/* Counts the steps of the copy, whose last block this is. Returns whether there are more. */
static LLVMValueRef count_step(LLVMBuilderRef b, LLVMBasicBlockRef latch, LLVMValueRef made,
                               LLVMValueRef all) {
    LLVMTypeRef type = LLVMTypeOf(all);
    LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(latch));
    LLVMValueRef n = LLVMBuildLoad2(b, type, made, "");
    n = LLVMBuildNUWAdd(b, n, LLVMConstInt(type, 1, false), "");
    LLVMBuildStore(b, n, made);
    return LLVMBuildICmp(b, LLVMIntULT, n, all, "");
}

/* A loop's blocks, as many copies, and where it goes. */
typedef struct parted {
    LLVMBasicBlockRef own[MAX_BLOCKS], copy[MAX_BLOCKS], out, behind;
    size_t count, latch, nouts;
} parted;

static void describe(parted *p, br_loop l) {
    p->count = br_loop_blocks(l, p->own, MAX_BLOCKS);
    while (p->own[p->latch] != br_loop_latch(l))
        p->latch++;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(p->own[p->latch]);
    p->behind = LLVMGetSuccessor(end, LLVMGetSuccessor(end, 0) == p->own[0]);
}

static void part(br_function *f, br_loop l, parted *p, LLVMBuilderRef b) {
    LLVMBasicBlockRef in_front = before(l);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(in_front);
    LLVMTypeRef type = LLVMInt64TypeInContext(LLVMGetTypeContext(LLVMTypeOf(end)));
    br_scev back = br_scev_zext(f, goes_back(f, l, in_front), 64);
    LLVMValueRef all = br_scev_expand(f, back, type, end);
    LLVMPositionBuilderBefore(
        b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(in_front))));
    LLVMValueRef made = LLVMBuildAlloca(b, type, "");
    LLVMPositionBuilderBefore(b, end);
    LLVMBuildStore(b, LLVMConstInt(type, 0, false), made);
    LLVMValueRef several = LLVMBuildICmp(b, LLVMIntNE, all, LLVMConstInt(type, 0, false), "");
    br_demote_phis(p->own[0]);
    br_demote_phis(p->behind);
    br_twin(in_front, p->own, p->count, several, p->copy, &p->out, 1, &p->nouts);
    LLVMValueRef more = count_step(b, p->copy[p->latch], made, all);
    end_with(b, p->copy[p->latch], more, p->copy[0], p->out);
    LLVMSetSuccessor(LLVMGetBasicBlockTerminator(p->out), 0, p->own[0]);
    end_with(b, p->own[p->latch], NULL, p->behind, NULL);
}

LLVMBasicBlockRef prep_part_last(prep_shadow *s, LLVMBasicBlockRef head) {
    br_loop l = prep_loop_at(s->f, head);
    if (!l || !can_part(s->f, l))
        return NULL;
    parted *p = calloc(1, sizeof *p);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(s->function)));
    describe(p, l);
    part(s->f, l, p, b);
    LLVMBasicBlockRef copy = p->copy[0];
    LLVMDisposeBuilder(b);
    free(p);
    bool good = prep_run_passes(s->function, "mem2reg,adce,simplifycfg");
    s->body = LLVMGetEntryBasicBlock(s->function);
    br_function_invalidate(s->f);
    br_loop others = good && prep_has_block(s->function, copy) ? prep_loop_at(s->f, copy) : NULL;
    return others && !prep_adds_in_order(others) ? copy : NULL;
}
