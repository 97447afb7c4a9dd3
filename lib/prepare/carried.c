/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A time loop that computes a number of its own from step to step, which is used behind it:
 *
 *     for (t = 0; t < T; t++) {            for (t = 0; t < T; t++)
 *         sweep(b, a);                         sweep(b, a);
 *         time += dt;            ->        for (t = 0; t < T; t++)
 *     }                                        time += dt;
 *     print(time);                         print(time);
 *
 * The GPU makes the steps; the CPU adds up in a loop of its own, in the same order. Only numbers
 * are parted that are computed of each other, of what does not change in the loop, and of its
 * counters. How often the loop runs is computed in front of it.
 */
#include "prepare/carried.h"
#include "detect/common/calls.h"
#include "detect/common/flow.h"
#include "model/fixed_limits.h"
#include "prepare/sequence.h"

#include <string.h>

enum { MAX_VALUES = ST_LIMIT(48, 3) };

/* The values of the loop that the number is computed of, and their copies. */
typedef struct carried {
    br_function *f;
    br_loop l;
    LLVMBasicBlockRef latch;
    LLVMValueRef own[MAX_VALUES], copy[MAX_VALUES];
    size_t count;
} carried;

static bool is_number(LLVMValueRef v) {
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(v));
    return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || kind == LLVMIntegerTypeKind;
}

static bool is_head_phi(const carried *c, LLVMValueRef v) {
    return LLVMIsAPHINode(v) && LLVMGetInstructionParent(v) == br_loop_header(c->l) &&
           LLVMCountIncoming(v) == 2;
}

/* Is it computed of its operands alone, whatever these are? */
static bool is_computed(LLVMValueRef v) {
    if (LLVMIsACallInst(v))
        return host_calls(v, "llvm.") && is_number(v) && !br_may_write(v) &&
               (host_calls(v, "llvm.fabs.") || host_calls(v, "llvm.fma.") ||
                host_calls(v, "llvm.fmuladd.") || host_calls(v, "llvm.smin.") ||
                host_calls(v, "llvm.smax."));
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    return op == LLVMFAdd || op == LLVMFSub || op == LLVMFMul || op == LLVMFDiv || op == LLVMFNeg ||
           op == LLVMAdd || op == LLVMSub || op == LLVMMul || op == LLVMShl || op == LLVMSelect ||
           op == LLVMFCmp || op == LLVMICmp || op == LLVMSIToFP || op == LLVMUIToFP ||
           op == LLVMFPExt || op == LLVMFPTrunc || op == LLVMSExt || op == LLVMZExt ||
           op == LLVMTrunc;
}

static bool is_listed(const carried *c, LLVMValueRef v) {
    bool listed = false;
    for (size_t i = 0; i < c->count && !listed; i++)
        listed = c->own[i] == v;
    return listed;
}

/* Adds the value, behind those that it is computed of. False: it depends on more than numbers that
 * the loop carries. An outer loop's steps make each once. */
static bool add(carried *c, LLVMValueRef v) {
    if (!LLVMIsAInstruction(v) || !host_in_loop(c->l, v) || is_listed(c, v))
        return true;
    bool phi = is_head_phi(c, v), once = br_loop_of(c->f, LLVMGetInstructionParent(v)) == c->l;
    if (c->count == MAX_VALUES || !once || !is_number(v) || (!phi && !is_computed(v)))
        return false;
    if (phi)
        c->own[c->count++] = v;
    bool good = true;
    for (unsigned i = 0; phi && i < 2 && good; i++)
        good = add(c, LLVMGetIncomingValue(v, i));
    int operands = phi                  ? 0
                   : LLVMIsACallInst(v) ? (int)LLVMGetNumArgOperands(v)
                                        : LLVMGetNumOperands(v);
    for (int i = 0; i < operands && good; i++)
        good = add(c, LLVMGetOperand(v, (unsigned)i));
    if (!good || phi || is_listed(c, v)) /* it may come back to itself */
        return good;
    if (c->count < MAX_VALUES)
        c->own[c->count++] = v;
    return is_listed(c, v);
}

/* A use of the value behind the loop; NULL: there is none. */
static LLVMValueRef user_behind(br_loop l, LLVMValueRef v) {
    LLVMValueRef user = NULL;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u && !user; u = LLVMGetNextUse(u))
        user = host_in_loop(l, LLVMGetUser(u)) ? NULL : LLVMGetUser(u);
    return user;
}

/* Is it used behind the loop, and none that ScalarEvolution knows there? */
static bool is_wanted(const carried *c, LLVMValueRef v) {
    if (!is_number(v) || !user_behind(c->l, v))
        return false;
    br_scev at_exit = br_scev_at_exit(c->f, v, c->l);
    return !at_exit || !br_scev_invariant(c->f, at_exit, c->l);
}

/* Finds the numbers that can be parted. False: there is none. */
static bool find(carried *c) {
    LLVMBasicBlockRef block;
    c->latch = br_loop_latch(c->l);
    if (!host_tests_last(c->l) || !br_backedge_count(c->f, c->l))
        return false;
    for (size_t b = 0; (block = br_loop_block(c->l, b)); b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            size_t before = c->count;
            if (is_wanted(c, i) && !add(c, i))
                c->count = before;
        }
    return c->count > 0;
}

bool prep_has_carried(br_function *f, br_loop l) {
    carried c = {.f = f, .l = l};
    return find(&c);
}

static LLVMValueRef copied(const carried *c, LLVMValueRef v) {
    for (size_t i = 0; i < c->count; i++)
        if (c->own[i] == v)
            return c->copy[i];
    return v;
}

/* Copies the values to the end of the block, to which control comes from another one first. */
static void copy_values(carried *c, LLVMBuilderRef b, LLVMBasicBlockRef first) {
    for (size_t i = 0; i < c->count; i++)
        if (LLVMIsAPHINode(c->own[i]))
            c->copy[i] = LLVMBuildPhi(b, LLVMTypeOf(c->own[i]), "");
    for (size_t i = 0; i < c->count; i++) {
        if (LLVMIsAPHINode(c->own[i]))
            continue;
        c->copy[i] = LLVMInstructionClone(c->own[i]);
        for (int k = 0; k < LLVMGetNumOperands(c->own[i]); k++)
            LLVMSetOperand(c->copy[i], (unsigned)k,
                           copied(c, LLVMGetOperand(c->own[i], (unsigned)k)));
        LLVMInsertIntoBuilder(b, c->copy[i]);
    }
    LLVMBasicBlockRef here = LLVMGetInsertBlock(b);
    for (size_t i = 0; i < c->count; i++)
        for (unsigned k = 0; LLVMIsAPHINode(c->own[i]) && k < 2; k++) {
            bool back = LLVMGetIncomingBlock(c->own[i], k) == c->latch;
            LLVMValueRef v = LLVMGetIncomingValue(c->own[i], k);
            LLVMBasicBlockRef from = back ? here : first;
            v = back ? copied(c, v) : v;
            LLVMAddIncoming(c->copy[i], &v, &from, 1);
        }
}

/* The block that control comes to where the loop ends. */
static LLVMBasicBlockRef end_of(const carried *c) {
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(c->latch);
    return LLVMGetSuccessor(branch, br_loop_contains(c->l, LLVMGetSuccessor(branch, 0)));
}

/* A loop of so many steps and one more, which computes the values, on the way out of the loop: in
 * front of it, a program that ends in a step would wait for all steps' numbers. False: there is no
 * room for it. */
static bool build_loop(carried *c, LLVMValueRef more) {
    LLVMBasicBlockRef end = end_of(c), ended = br_join(&c->latch, 1, end);
    LLVMBasicBlockRef behind = ended ? br_join(&ended, 1, end) : NULL;
    if (!behind)
        return false;
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(more));
    LLVMBasicBlockRef own = LLVMInsertBasicBlockInContext(context, behind, "");
    LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
    LLVMSetSuccessor(LLVMGetBasicBlockTerminator(ended), 0, own);
    LLVMPositionBuilderAtEnd(b, own);
    LLVMValueRef step = LLVMBuildPhi(b, LLVMTypeOf(more), "");
    copy_values(c, b, ended);
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(more));
    LLVMValueRef next = LLVMBuildAdd(b, step, LLVMConstInt(LLVMTypeOf(more), 1, false), "");
    LLVMAddIncoming(step, (LLVMValueRef[]){zero, next}, (LLVMBasicBlockRef[]){ended, own}, 2);
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, step, more, ""), behind, own);
    LLVMDisposeBuilder(b);
    return true;
}

/* What is behind the loop uses the copies. */
static void use_copies(carried *c) {
    for (size_t i = 0; i < c->count; i++)
        for (LLVMValueRef user; (user = user_behind(c->l, c->own[i]));)
            for (int k = 0; k < LLVMGetNumOperands(user); k++)
                if (LLVMGetOperand(user, (unsigned)k) == c->own[i])
                    LLVMSetOperand(user, (unsigned)k, c->copy[i]);
}

LLVMBasicBlockRef prep_part_carried(prep_shadow *s, LLVMBasicBlockRef head) {
    carried c = {.f = s->f, .l = prep_loop_at(s->f, head)};
    LLVMBasicBlockRef in_front = c.l && find(&c) ? br_loop_prepare(s->f, c.l) : NULL;
    if (!in_front)
        return NULL;
    br_function_invalidate(s->f);
    c = (carried){.f = s->f, .l = prep_loop_at(s->f, head)};
    LLVMValueRef end = LLVMGetBasicBlockTerminator(in_front);
    br_scev count = c.l && find(&c) ? br_backedge_count(s->f, c.l) : NULL;
    if (!count || LLVMGetNumSuccessors(end) != 1 || !br_scev_expandable(s->f, count, end))
        return NULL;
    LLVMTypeRef type =
        LLVMIntTypeInContext(LLVMGetTypeContext(LLVMTypeOf(end)), br_scev_bits(s->f, count));
    LLVMValueRef more = br_scev_expand(s->f, count, type, end);
    bool good = build_loop(&c, more);
    if (good)
        use_copies(&c);
    good = good && prep_run_passes(s->function, "adce");
    s->body = LLVMGetEntryBasicBlock(s->function);
    br_function_invalidate(s->f);
    return good && prep_has_block(s->function, head) ? head : NULL;
}
