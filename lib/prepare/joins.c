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

/* Does it extend a number of which it says that it is not negative? */
static bool extends_positive(LLVMValueRef v) {
    return LLVMGetInstructionOpcode(v) == LLVMZExt && LLVMGetNNeg(v);
}

static bool extends_signed(LLVMValueRef v) {
    return LLVMGetInstructionOpcode(v) == LLVMSExt;
}

/* Is one a signed extension, and the other one of a number that is not negative on its way? */
static bool is_signed_on_both(LLVMValueRef a, LLVMValueRef b) {
    return (extends_signed(a) && extends_positive(b)) || (extends_positive(a) && extends_signed(b));
}

static bool same_operation(LLVMValueRef a, LLVMValueRef b) {
    return LLVMIsAInstruction(a) && LLVMIsAInstruction(b) && is_arithmetic(a) && is_arithmetic(b) &&
           (LLVMGetInstructionOpcode(a) == LLVMGetInstructionOpcode(b) ||
            is_signed_on_both(a, b)) &&
           same_types(a, b) && LLVMGetNumOperands(a) == LLVMGetNumOperands(b);
}

static bool commutes(LLVMValueRef v) {
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    return op == LLVMAdd || op == LLVMMul;
}

/* A look at whether values are alike that come together in a block. */
typedef struct look {
    br_function *f;
    LLVMBasicBlockRef here;
    int left;   /* instructions that may be looked at */
    bool mixed; /* numbers are extended in two ways */
} look;

static bool are_alike(look *l, LLVMValueRef a, LLVMValueRef b);

/* Are their operands alike, those of b perhaps in the other order? */
static bool operands_alike(look *l, LLVMValueRef a, LLVMValueRef b, bool turned) {
    bool alike = true;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(a) && alike; i++)
        alike = are_alike(l, LLVMGetOperand(a, i), LLVMGetOperand(b, turned ? 1 - i : i));
    return alike;
}

/* Are both the same operations on the same values, which are there in the block? */
static bool are_alike(look *l, LLVMValueRef a, LLVMValueRef b) {
    if (a == b && is_there(l->f, a, l->here))
        return true;
    if (--l->left < 0 || !same_operation(a, b))
        return false;
    l->mixed |= is_signed_on_both(a, b);
    return operands_alike(l, a, b, false) || (commutes(a) && operands_alike(l, a, b, true));
}

static bool are_turned(look *l, LLVMValueRef a, LLVMValueRef b) {
    l->left = MOST;
    return commutes(a) && !operands_alike(l, a, b, false);
}

/* The value as far as it is not there, in front of the builder's place, `other` being what it is on
 * another way; without flags, which may hold on one of the ways only. */
static LLVMValueRef compute(look *l, LLVMBuilderRef b, LLVMValueRef v, LLVMValueRef other) {
    if (v == other && is_there(l->f, v, l->here))
        return v;
    LLVMValueRef copy = LLVMInstructionClone(extends_positive(v) ? other : v);
    LLVMOpcode op = LLVMGetInstructionOpcode(copy);
    bool turned = are_turned(l, v, other);
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(v); i++)
        LLVMSetOperand(
            copy, i,
            compute(l, b, LLVMGetOperand(v, i), LLVMGetOperand(other, turned ? 1 - i : i)));
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

/* Is a phi perhaps the same value on all ways? */
static bool may_join(br_function *f, LLVMValueRef phi) {
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(phi));
    return (kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind) &&
           LLVMCountIncoming(phi) > 1 && !is_loop_head(f, phi) &&
           !is_pad(LLVMGetInstructionParent(phi));
}

static bool joins_equals(look *l, LLVMValueRef phi) {
    unsigned count = LLVMCountIncoming(phi);
    bool alike = true;
    for (unsigned i = 1; i < count && alike; i++) {
        l->left = MOST;
        alike = are_alike(l, LLVMGetIncomingValue(phi, 0), LLVMGetIncomingValue(phi, i));
    }
    return alike && (!l->mixed || count == 2);
}

/* Removes what was computed and is not used. */
static void drop(const look *l, LLVMValueRef v) {
    LLVMValueRef operands[2] = {NULL, NULL};
    if (!LLVMIsAInstruction(v) || LLVMGetInstructionParent(v) != l->here || LLVMGetFirstUse(v) ||
        !is_arithmetic(v) || LLVMGetNumOperands(v) > 2)
        return;
    for (int i = 0; i < LLVMGetNumOperands(v); i++)
        operands[i] = LLVMGetOperand(v, (unsigned)i);
    LLVMInstructionEraseFromParent(v);
    for (int i = 0; i < 2 && operands[i]; i++)
        drop(l, operands[i]);
}

/* To ScalarEvolution, is it one expression on all ways? Then its value on the first one, computed
 * here, if that, without its flags, is this expression, too. Else NULL. */
static LLVMValueRef join_by_expression(look *l, LLVMBuilderRef b, LLVMValueRef phi) {
    LLVMValueRef first = LLVMGetIncomingValue(phi, 0);
    br_scev s = br_scev_of(l->f, first);
    bool same = true;
    for (unsigned i = 1; i < LLVMCountIncoming(phi) && same; i++)
        same = br_scev_of(l->f, LLVMGetIncomingValue(phi, i)) == s;
    l->left = MOST;
    if (!same || !are_alike(l, first, first))
        return NULL;
    LLVMValueRef v = compute(l, b, first, first);
    if (br_scev_of(l->f, v) == s)
        return v;
    br_scev_forget(l->f);
    drop(l, v);
    return NULL;
}

static bool mend(br_function *f, LLVMValueRef phi) {
    look l = {.f = f, .here = LLVMGetInstructionParent(phi)};
    if (!may_join(f, phi))
        return false;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(phi)));
    LLVMPositionBuilderBefore(b, host_first_after_phis(l.here));
    LLVMValueRef v = joins_equals(&l, phi) ? compute(&l, b, LLVMGetIncomingValue(phi, 0),
                                                     LLVMGetIncomingValue(phi, 1))
                                           : join_by_expression(&l, b, phi);
    LLVMDisposeBuilder(b);
    if (!v)
        return false;
    LLVMReplaceAllUsesWith(phi, v);
    LLVMInstructionEraseFromParent(phi);
    return true;
}

static bool mend_block(br_function *f, LLVMBasicBlockRef block) {
    bool mended = false;
    LLVMValueRef next, i = LLVMGetFirstInstruction(block);
    for (; i && LLVMIsAPHINode(i); i = next) {
        next = LLVMGetNextInstruction(i);
        mended |= mend(f, i);
    }
    return mended;
}

bool prep_mend_joins(br_function *f) {
    br_loop first;
    bool mended = false;
    if (br_loops(f, &first, 1) == 0)
        return false;
    LLVMValueRef function = LLVMGetBasicBlockParent(br_loop_header(first));
    LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
    for (; block; block = LLVMGetNextBasicBlock(block))
        mended |= mend_block(f, block);
    return mended;
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

bool prep_is_join(LLVMValueRef phi) {
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, k));
        if (!br_is_branch(end) || br_is_conditional(end))
            return false;
    }
    return true;
}
