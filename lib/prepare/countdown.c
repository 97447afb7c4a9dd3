/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Rows whose iterations are counted down, as flang counts them: (end - first) / 2 iterations, with
 * a guard that end - first is more than one. They get the tests of loops that count upwards.
 */
#include "detect/common/flow.h"
#include "prepare/rows.h"

#include <stdlib.h>

typedef struct countdown {
    LLVMValueRef left, next;         /* iterations left with this one, and without it */
    LLVMValueRef start;              /* how many there are */
    LLVMValueRef length, end, first; /* end - first; the row begins `shift` cells before `first` */
    int64_t shift;
} countdown;

static bool is_counted_down(const prep_rows *m, LLVMValueRef phi, countdown *c) {
    c->left = phi;
    c->next = host_incoming(phi, m->inner, true);
    c->start = host_incoming(phi, m->inner, false);
    bool less = c->next && LLVMIsAInstruction(c->next) &&
                LLVMGetInstructionOpcode(c->next) == LLVMAdd && LLVMGetOperand(c->next, 0) == phi &&
                LLVMIsAConstantInt(LLVMGetOperand(c->next, 1));
    return less && LLVMConstIntGetSExtValue(LLVMGetOperand(c->next, 1)) == -1;
}

static bool find_countdown(const prep_rows *m, countdown *c) {
    LLVMValueRef i = LLVMGetFirstInstruction(br_loop_header(m->inner));
    for (; i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
        if (i != m->counter && LLVMTypeOf(i) == LLVMTypeOf(m->counter) && is_counted_down(m, i, c))
            return true;
    return false;
}

/* Does the condition hold where the value, which is never negative, is more than `number`? */
static bool is_more(LLVMValueRef condition, bool holds, LLVMValueRef value, uint64_t number) {
    unsigned side = 0;
    LLVMIntPredicate other = holds ? LLVMIntNE : LLVMIntEQ;
    if (number == 0 && LLVMIsAICmpInst(condition) && LLVMGetICmpPredicate(condition) == other)
        return LLVMGetOperand(condition, 0) == value &&
               rows_is_constant(LLVMGetOperand(condition, 1), 0);
    LLVMIntPredicate p = rows_below(condition, holds, &side);
    return p && LLVMGetOperand(condition, !side) == value &&
           rows_is_constant(LLVMGetOperand(condition, side), number + rows_may_be_equal(p));
}

static LLVMValueRef twice(LLVMValueRef v) {
    LLVMOpcode op = LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : LLVMRet;
    uint64_t by = op == LLVMSDiv || op == LLVMUDiv ? 2 : op == LLVMLShr || op == LLVMAShr ? 1 : 0;
    return by && rows_is_constant(LLVMGetOperand(v, 1), by) ? LLVMGetOperand(v, 0) : NULL;
}

/* Is it end - first, of an end that all rows have? And the bound that follows: one less than the
 * end, which does not wrap. */
static bool find_length(prep_rows *m, countdown *c) {
    int64_t even, odd, least, greatest, most;
    c->length = twice(c->start);
    if (!c->length || !LLVMIsAInstruction(c->length) ||
        LLVMGetInstructionOpcode(c->length) != LLVMSub || !LLVMGetNSW(c->length))
        return false;
    c->end = LLVMGetOperand(c->length, 0);
    c->first = LLVMGetOperand(c->length, 1);
    if (host_in_loop(m->around[0], c->end) || LLVMIsAInvokeInst(c->end) ||
        !rows_number(m, c->first, 0, &even) || !rows_number(m, c->first, 1, &odd) ||
        even - m->at[0] != odd - m->at[1])
        return false;
    c->shift = even - m->at[0];
    most = INT64_MAX >> (64 - LLVMGetIntTypeWidth(LLVMTypeOf(c->end)));
    br_scev_signed_range(m->f, br_scev_of(m->f, c->end), &least, &greatest);
    return c->shift < 0 ? greatest <= most + c->shift : least >= -most + c->shift;
}

/* The bound of rows whose numbers of iterations are constants. */
static LLVMValueRef constant_bound(prep_rows *m, const countdown *c) {
    int64_t even, odd;
    if (!rows_number(m, c->start, 0, &even) || !rows_number(m, c->start, 1, &odd))
        return NULL;
    int64_t ends[2] = {m->at[0] + 2 * even, m->at[1] + 2 * odd};
    bool near = even > 0 && odd > 0 && llabs(ends[0] - ends[1]) == 1;
    return near ? LLVMConstInt(LLVMTypeOf(m->counter),
                               (unsigned long long)(ends[0] < ends[1] ? ends[0] : ends[1]), true)
                : NULL;
}

/* The bound, where the end is known. */
static LLVMValueRef build_bound(const prep_rows *m, const countdown *c, LLVMBuilderRef b) {
    LLVMTypeRef type = LLVMTypeOf(c->end);
    LLVMValueRef less = LLVMConstInt(type, (unsigned long long)(-1 - c->shift), true);
    LLVMBasicBlockRef at =
        LLVMIsAInstruction(c->end)
            ? LLVMGetInstructionParent(c->end)
            : LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(br_loop_header(m->inner)));
    LLVMValueRef next = LLVMIsAInstruction(c->end) && !LLVMIsAPHINode(c->end)
                            ? LLVMGetNextInstruction(c->end)
                            : host_first_after_phis(at);
    LLVMPositionBuilderBefore(b, next);
    return LLVMBuildAdd(b, c->end, less, "");
}

/* The guard that a row has more than one cell's length: the branch in front of the loop. */
static LLVMValueRef find_length_guard(const prep_rows *m, const countdown *c) {
    LLVMBasicBlockRef to = br_loop_prepare(m->f, m->inner);
    LLVMBasicBlockRef from = to ? host_only_predecessor(to) : NULL;
    LLVMValueRef guard = from ? LLVMGetBasicBlockTerminator(from) : NULL;
    bool good = guard && br_loop_of(m->f, from) == m->around[0] && br_is_conditional(guard) &&
                is_more(LLVMGetCondition(guard), LLVMGetSuccessor(guard, 0) == to, c->length, 1);
    return good ? guard : NULL;
}

/* The test "x is below the bound", where control stays on the way it took. */
static void set_test(LLVMBuilderRef b, LLVMValueRef branch, bool stays, LLVMValueRef x,
                     LLVMValueRef bound) {
    LLVMPositionBuilderBefore(b, branch);
    LLVMSetCondition(branch, LLVMBuildICmp(b, stays ? LLVMIntSLT : LLVMIntSGE, x, bound, ""));
}

static void build_guard(const countdown *c, LLVMBuilderRef b, LLVMValueRef guard, bool stays,
                        LLVMValueRef bound) {
    LLVMTypeRef type = LLVMTypeOf(c->first);
    LLVMPositionBuilderBefore(b, guard);
    LLVMValueRef back = LLVMConstInt(type, (unsigned long long)-c->shift, true);
    set_test(b, guard, stays, c->shift ? LLVMBuildAdd(b, c->first, back, "") : c->first, bound);
}

static void erase_countdown(const countdown *c, LLVMValueRef test) {
    if (!LLVMGetFirstUse(test))
        LLVMInstructionEraseFromParent(test);
    LLVMReplaceAllUsesWith(c->next, LLVMGetPoison(LLVMTypeOf(c->next)));
    LLVMInstructionEraseFromParent(c->next);
    if (!LLVMGetFirstUse(c->left))
        LLVMInstructionEraseFromParent(c->left);
}

/* Is the count used for nothing but the test of the loop's end? */
static bool only_tests(const countdown *c, LLVMValueRef test) {
    bool only = true;
    for (LLVMUseRef u = LLVMGetFirstUse(c->left); u; u = LLVMGetNextUse(u))
        only &= LLVMGetUser(u) == c->next || LLVMGetUser(u) == test;
    for (LLVMUseRef u = LLVMGetFirstUse(c->next); u; u = LLVMGetNextUse(u))
        only &= LLVMGetUser(u) == c->left || LLVMGetUser(u) == test;
    return only;
}

bool rows_count_upwards(prep_rows *m) {
    countdown c;
    LLVMBasicBlockRef latch = br_loop_latch(m->inner);
    LLVMValueRef go = LLVMGetBasicBlockTerminator(latch), guard = NULL;
    if (br_loop_exiting_block(m->inner) != latch || !br_is_conditional(go) ||
        !find_countdown(m, &c))
        return false;
    bool stays = LLVMGetSuccessor(go, 0) == br_loop_header(m->inner);
    LLVMValueRef test = LLVMGetCondition(go), bound = constant_bound(m, &c);
    if ((!is_more(test, stays, c.left, 1) && !is_more(test, stays, c.next, 0)) ||
        !only_tests(&c, test) ||
        (!bound && (!find_length(m, &c) || !(guard = find_length_guard(m, &c)))))
        return false;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(m->counter)));
    if (!bound)
        bound = build_bound(m, &c, b);
    set_test(b, go, stays, m->next, bound);
    if (guard)
        build_guard(&c, b, guard, LLVMGetSuccessor(guard, 0) == br_loop_prepare(m->f, m->inner),
                    bound);
    erase_countdown(&c, test);
    LLVMDisposeBuilder(b);
    br_function_invalidate(m->f);
    return true;
}
