/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Keeps the sign of zeros where the program chooses the lesser or greater of two floats. LLVM makes
 * a minimum of x < 0 ? x : 0. Of the zeros -0.0 and 0.0 a minimum takes the negative one, but the
 * program takes its second operand. So the operand that is compared is frozen: then LLVM does not
 * see that it is the operand that is chosen. This is not needed where two zeros cannot meet, or
 * where the second operand is the zero that the minimum or maximum takes.
 */
#include "target/build.h"

/* The direction of a strict comparison: 1 for less, -1 for greater, 0 for any other. */
static int direction(LLVMRealPredicate p) {
    if (p == LLVMRealOLT || p == LLVMRealULT)
        return 1;
    return p == LLVMRealOGT || p == LLVMRealUGT ? -1 : 0;
}

static double number(LLVMValueRef v) {
    LLVMBool inexact;
    return LLVMIsAConstantFP(v) ? LLVMConstRealGetDouble(v, &inexact) : 0;
}

/* Does LLVM's minimum (`least` above 0) or maximum (below 0) give the same bits for zeros as the
 * choice? Of two zeros the program's choice takes the second, a minimum the negative one, a maximum
 * the positive one. */
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
