/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * LLVM makes a minimum of x < 0 ? x : 0, which of two zeros takes the negative one where the
 * program takes the second. So what such a choice compares gets another name than what it chooses
 * from, unless no two zeros can meet or it is the second that a minimum or maximum takes.
 */
#include "target/build.h"

/* By strict comparison: 1 if less, -1 if greater; else 0. */
static int direction(LLVMRealPredicate p) {
    if (p == LLVMRealOLT || p == LLVMRealULT)
        return 1;
    return p == LLVMRealOGT || p == LLVMRealUGT ? -1 : 0;
}

static double number(LLVMValueRef v) {
    LLVMBool inexact;
    return LLVMIsAConstantFP(v) ? LLVMConstRealGetDouble(v, &inexact) : 0;
}

/* Does a minimum (`least` above 0) or maximum (below) give the same bits where they are zeros? Of
 * two zeros the choice is the second, a minimum the negative one, a maximum the other. */
static bool is_exact(int least, LLVMValueRef first, LLVMValueRef second) {
    bool meet = number(first) == 0 && number(second) == 0;
    bool second_wins = LLVMIsAConstantFP(second) && least != 0 &&
                       (__builtin_signbit(number(second)) != 0) == (least > 0);
    return !meet || second_wins;
}

static bool may_change_zeros(LLVMValueRef select) {
    LLVMValueRef c = LLVMGetOperand(select, 0);
    if (!LLVMIsAFCmpInst(c))
        return false;
    LLVMValueRef a = LLVMGetOperand(c, 0), b = LLVMGetOperand(c, 1);
    LLVMValueRef x = LLVMGetOperand(select, 1), y = LLVMGetOperand(select, 2);
    if (!(a == x && b == y) && !(a == y && b == x))
        return false;
    int least = direction(LLVMGetFCmpPredicate(c)) * (a == x ? 1 : -1);
    bool any = LLVMGetFastMathFlags(select) & LLVMFastMathNoSignedZeros;
    return !any && !is_exact(least, x, y);
}

static void rename_compared(LLVMBuilderRef b, LLVMValueRef select) {
    LLVMValueRef c = LLVMGetOperand(select, 0);
    unsigned which = LLVMIsConstant(LLVMGetOperand(c, 0)) ? 1 : 0;
    LLVMPositionBuilderBefore(b, c);
    LLVMSetOperand(c, which, LLVMBuildFreeze(b, LLVMGetOperand(c, which), ""));
}

void tg_keep_zeros(LLVMModuleRef m) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(m));
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
             block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
                if (LLVMIsASelectInst(i) && may_change_zeros(i))
                    rename_compared(b, i);
    LLVMDisposeBuilder(b);
}
