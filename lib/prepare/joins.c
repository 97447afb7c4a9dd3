/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where branches join, LLVM may keep an index that each of them computes alike as one value for
 * each way: if (c) v[i] = 0; else v[i] = x; then writes v[phi(i, i')]. ScalarEvolution knows
 * nothing of such a phi. Here the index is computed once more, behind the join, from values that
 * are there on all ways.
 */
#include "detect/common/flow.h"
#include "prepare/whole.h"

#include <stdlib.h>

enum { MOST = 16 }; /* instructions of one value */

/* Does it depend on its operands alone? */
static bool is_arithmetic(LLVMValueRef v) {
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMSExt:
    case LLVMZExt:
    case LLVMTrunc:
    case LLVMGetElementPtr:
        return true;
    default:
        return false;
    }
}

/* Is it there in the block, whichever way that is come to? */
static bool is_there(br_function *f, LLVMValueRef v, LLVMBasicBlockRef here) {
    if (!LLVMIsAInstruction(v))
        return true;
    LLVMBasicBlockRef block = LLVMGetInstructionParent(v);
    return block != here && br_dominates(f, block, here);
}

static bool same_types(LLVMValueRef a, LLVMValueRef b) {
    bool addresses = LLVMIsAGetElementPtrInst(a) != NULL;
    return LLVMTypeOf(a) == LLVMTypeOf(b) &&
           (!addresses || LLVMGetGEPSourceElementType(a) == LLVMGetGEPSourceElementType(b));
}

/* Are both the same operations on the same values, which are there in the block? */
static bool are_alike(br_function *f, LLVMValueRef a, LLVMValueRef b, LLVMBasicBlockRef here,
                      int *left) {
    if (a == b && is_there(f, a, here))
        return true;
    if (--*left < 0 || !LLVMIsAInstruction(a) || !LLVMIsAInstruction(b) || !is_arithmetic(a) ||
        LLVMGetInstructionOpcode(a) != LLVMGetInstructionOpcode(b) || !same_types(a, b) ||
        LLVMGetNumOperands(a) != LLVMGetNumOperands(b))
        return false;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(a); i++)
        if (!are_alike(f, LLVMGetOperand(a, i), LLVMGetOperand(b, i), here, left))
            return false;
    return true;
}

/* The value as far as it is not there, in front of `at`; without flags, which may hold on one of
 * the ways only. */
static LLVMValueRef compute(br_function *f, LLVMBuilderRef b, LLVMValueRef v,
                            LLVMBasicBlockRef here) {
    if (is_there(f, v, here))
        return v;
    LLVMValueRef copy = LLVMInstructionClone(v);
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(v); i++)
        LLVMSetOperand(copy, i, compute(f, b, LLVMGetOperand(v, i), here));
    if (op == LLVMGetElementPtr)
        LLVMGEPSetNoWrapFlags(copy, 0);
    else if (op == LLVMZExt)
        LLVMSetNNeg(copy, false);
    else if (op != LLVMSExt) {
        LLVMSetNUW(copy, false);
        LLVMSetNSW(copy, false);
    }
    LLVMInsertIntoBuilder(b, copy);
    return copy;
}

static bool is_loop_head(br_function *f, LLVMValueRef phi) {
    LLVMBasicBlockRef here = LLVMGetInstructionParent(phi);
    bool head = false;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        head |= br_dominates(f, here, LLVMGetIncomingBlock(phi, i));
    return head;
}

/* Exceptions come to the block: nothing can stand in front of what catches them. */
static bool is_pad(LLVMBasicBlockRef block) {
    LLVMOpcode op = LLVMGetInstructionOpcode(host_first_after_phis(block));
    return op == LLVMLandingPad || op == LLVMCatchPad || op == LLVMCleanupPad ||
           op == LLVMCatchSwitch;
}

static bool joins_equals(br_function *f, LLVMValueRef phi) {
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(phi));
    unsigned count = LLVMCountIncoming(phi);
    bool alike = (kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind) && count > 1 &&
                 !is_loop_head(f, phi) && !is_pad(LLVMGetInstructionParent(phi));
    for (unsigned i = 1; i < count && alike; i++) {
        int left = MOST;
        alike = are_alike(f, LLVMGetIncomingValue(phi, 0), LLVMGetIncomingValue(phi, i),
                          LLVMGetInstructionParent(phi), &left);
    }
    return alike;
}

static void replace(br_function *f, LLVMValueRef phi) {
    LLVMBasicBlockRef here = LLVMGetInstructionParent(phi);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(phi)));
    LLVMPositionBuilderBefore(b, host_first_after_phis(here));
    LLVMReplaceAllUsesWith(phi, compute(f, b, LLVMGetIncomingValue(phi, 0), here));
    LLVMInstructionEraseFromParent(phi);
    LLVMDisposeBuilder(b);
}

static bool mend_block(br_function *f, br_loop l, LLVMBasicBlockRef block) {
    bool mended = false;
    br_loop child;
    LLVMValueRef next, i = LLVMGetFirstInstruction(block);
    for (; i && LLVMIsAPHINode(i) && !br_loop_children(l, &child, 1); i = next) {
        next = LLVMGetNextInstruction(i);
        if (!joins_equals(f, i))
            continue;
        replace(f, i);
        mended = true;
    }
    return mended;
}

bool prep_mend_joins(br_function *f) {
    return prep_mend_blocks(f, mend_block);
}

bool prep_mend_blocks(br_function *f, bool (*mend)(br_function *, br_loop, LLVMBasicBlockRef)) {
    size_t count = br_loops(f, NULL, 0);
    br_loop *loops = malloc((count + 1) * sizeof *loops);
    bool mended = false;
    br_loops(f, loops, count);
    for (size_t l = 0; l < count; l++) {
        LLVMBasicBlockRef block;
        for (size_t b = 0; (block = br_loop_block(loops[l], b)); b++)
            mended |= br_loop_of(f, block) == loops[l] && mend(f, loops[l], block);
    }
    free(loops);
    return mended;
}
