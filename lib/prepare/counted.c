/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loops from n - 7 to n. They have 8 iterations, since the program says that n - 7 does not wrap.
 * ScalarEvolution does not count on that, because it does not know that the subtraction is made
 * whenever the loop is reached. A counter of its own then tells each iteration's number.
 */
#include "prepare/unroll.h"

#include "detect/common/flow.h"

/* value = base + by, without wrap. */
typedef struct sum {
    LLVMValueRef base;
    int64_t by;
} sum;

static sum sum_of(LLVMValueRef v) {
    bool adds = LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == LLVMAdd && LLVMGetNSW(v) &&
                LLVMIsAConstantInt(LLVMGetOperand(v, 1)) &&
                LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 64;
    if (!adds)
        return (sum){v, 0};
    return (sum){LLVMGetOperand(v, 0), LLVMConstIntGetSExtValue(LLVMGetOperand(v, 1))};
}

/* The value that the header's phi has first; NULL if v is no counter that grows by 1. */
static LLVMValueRef first_of(LLVMValueRef phi, br_loop l) {
    if (!LLVMIsAPHINode(phi) || !host_is_at_head(l, phi) || LLVMCountIncoming(phi) != 2)
        return NULL;
    sum next = sum_of(host_incoming(phi, l, true));
    return next.base == phi && next.by == 1 ? host_incoming(phi, l, false) : NULL;
}

/* The loop goes on while `tested`, or a number that is so much more, is less than the limit. */
typedef struct going_on {
    LLVMValueRef compare;
    sum tested, limit;
    bool or_equal;
} going_on;

static bool find_test(br_loop l, going_on *out) {
    LLVMValueRef end = host_tests_last(l) ? LLVMGetBasicBlockTerminator(br_loop_latch(l)) : NULL;
    if (!end || LLVMGetNumSuccessors(end) != 2)
        return false;
    LLVMValueRef c = LLVMGetCondition(end);
    if (!LLVMIsAICmpInst(c) || LLVMGetSuccessor(end, 0) != br_loop_header(l))
        return false;
    LLVMIntPredicate p = LLVMGetICmpPredicate(c);
    bool turned = p == LLVMIntSGT || p == LLVMIntSGE;
    if (!turned && p != LLVMIntSLT && p != LLVMIntSLE)
        return false;
    *out = (going_on){c, sum_of(LLVMGetOperand(c, turned)), sum_of(LLVMGetOperand(c, !turned)),
                      p == LLVMIntSLE || p == LLVMIntSGE};
    return true;
}

/* How often the loop goes on; -1: that is not a number, or too large for unrolling. */
static int64_t times_of(br_loop l, const going_on *g) {
    enum { FAR = 1 << 20 };
    LLVMValueRef first = first_of(g->tested.base, l);
    sum start = first ? sum_of(first) : (sum){NULL, 0};
    if (!first || start.base != g->limit.base)
        return -1;
    if (start.by < -FAR || start.by > FAR || g->limit.by < -FAR || g->limit.by > FAR)
        return -1;
    int64_t times = g->limit.by - start.by - g->tested.by + g->or_equal;
    return times < 0 ? 0 : times < UNROLL_MAX_READS ? times : -1;
}

static void count_anew(br_loop l, const going_on *g, int64_t times) {
    LLVMBasicBlockRef header = br_loop_header(l), latch = br_loop_latch(l);
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(g->compare, 0));
    LLVMValueRef end = LLVMGetBasicBlockTerminator(latch), old = g->tested.base;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(type));
    LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(header));
    LLVMValueRef counter = LLVMBuildPhi(b, type, "");
    LLVMPositionBuilderBefore(b, end);
    LLVMValueRef next = LLVMBuildAdd(b, counter, LLVMConstInt(type, 1, false), "");
    LLVMValueRef last = LLVMConstInt(type, (unsigned long long)times, false);
    LLVMSetCondition(end, LLVMBuildICmp(b, LLVMIntNE, counter, last, ""));
    for (unsigned i = 0; i < 2; i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(old, i);
        LLVMValueRef value = from == latch ? next : LLVMConstNull(type);
        LLVMAddIncoming(counter, &value, &from, 1);
    }
    LLVMDisposeBuilder(b);
}

void unroll_count_anew(br_function *f, LLVMValueRef function,
                       bool writes(LLVMValueRef function, br_loop l)) {
    enum { MOST_LOOPS = 16 };
    br_loop loops[MOST_LOOPS];
    size_t count = br_loops(f, loops, MOST_LOOPS);
    for (size_t i = 0; i < count && i < MOST_LOOPS; i++) {
        going_on g;
        bool reads = !writes(function, loops[i]) && find_test(loops[i], &g);
        int64_t times = reads ? times_of(loops[i], &g) : -1;
        if (times >= 0)
            count_anew(loops[i], &g, times);
    }
    br_scev_forget(f);
}
