/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * LLVM replaces the next value of a loop's counter by what is known of it on each way there. Then
 * ScalarEvolution no longer sees that the counter counts. Here the next value becomes a sum again.
 */
#include "detect/common/flow.h"
#include "prepare/whole.h"

#include <stdlib.h>

/* Is v counter + *number? */
static bool is_next(LLVMValueRef v, LLVMValueRef counter, int64_t *number) {
    if (!LLVMIsAInstruction(v) || LLVMGetInstructionOpcode(v) != LLVMAdd ||
        LLVMGetOperand(v, 0) != counter || !LLVMIsAConstantInt(LLVMGetOperand(v, 1)))
        return false;
    *number = LLVMConstIntGetSExtValue(LLVMGetOperand(v, 1));
    return true;
}

/* Does control get from one block to the other only if the counter has this value? */
static bool goes_at(LLVMBasicBlockRef from, LLVMBasicBlockRef to, LLVMValueRef counter,
                    int64_t value) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    if (!br_is_conditional(end) || LLVMGetSuccessor(end, 0) == LLVMGetSuccessor(end, 1))
        return false;
    LLVMValueRef c = LLVMGetCondition(end);
    if (!LLVMIsAICmpInst(c) || LLVMGetOperand(c, 0) != counter ||
        !LLVMIsAConstantInt(LLVMGetOperand(c, 1)) ||
        LLVMConstIntGetSExtValue(LLVMGetOperand(c, 1)) != value)
        return false;
    LLVMIntPredicate p = LLVMGetICmpPredicate(c);
    return (p == LLVMIntEQ && LLVMGetSuccessor(end, 0) == to) ||
           (p == LLVMIntNE && LLVMGetSuccessor(end, 1) == to);
}

/* Is the phi counter + *number, whichever way control comes to it? */
static bool is_always_next(LLVMValueRef phi, LLVMValueRef counter, int64_t *number) {
    LLVMBasicBlockRef here = LLVMGetInstructionParent(phi);
    bool found = false;
    int64_t other = 0;
    for (unsigned i = 0; i < LLVMCountIncoming(phi) && !found; i++)
        found = is_next(LLVMGetIncomingValue(phi, i), counter, number);
    for (unsigned i = 0; i < LLVMCountIncoming(phi) && found; i++) {
        LLVMValueRef v = LLVMGetIncomingValue(phi, i);
        if (is_next(v, counter, &other))
            found = other == *number;
        else
            found = LLVMIsAConstantInt(v) && goes_at(LLVMGetIncomingBlock(phi, i), here, counter,
                                                     LLVMConstIntGetSExtValue(v) - *number);
    }
    return found;
}

static bool mend_counter(br_loop l, LLVMValueRef counter) {
    LLVMBasicBlockRef latch = br_loop_latch(l);
    int64_t number = 0;
    for (unsigned i = 0; i < LLVMCountIncoming(counter); i++) {
        LLVMValueRef next = LLVMGetIncomingValue(counter, i);
        if (LLVMGetIncomingBlock(counter, i) != latch || !LLVMIsAPHINode(next) || next == counter ||
            !is_always_next(next, counter, &number))
            continue;
        LLVMTypeRef type = LLVMTypeOf(counter);
        LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(type));
        LLVMPositionBuilderBefore(b, host_first_after_phis(LLVMGetInstructionParent(next)));
        LLVMValueRef by = LLVMConstInt(type, (unsigned long long)number, true);
        LLVMReplaceAllUsesWith(next, LLVMBuildAdd(b, counter, by, ""));
        LLVMInstructionEraseFromParent(next);
        LLVMDisposeBuilder(b);
        return true;
    }
    return false;
}

bool prep_mend_counters(br_function *f) {
    size_t count = br_loops(f, NULL, 0);
    br_loop *loops = malloc((count + 1) * sizeof *loops);
    bool mended = false;
    br_loops(f, loops, count);
    for (size_t l = 0; l < count; l++) {
        LLVMValueRef i = LLVMGetFirstInstruction(br_loop_header(loops[l]));
        for (; LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
            if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMIntegerTypeKind && br_loop_latch(loops[l]))
                mended |= mend_counter(loops[l], i);
    }
    free(loops);
    return mended;
}
