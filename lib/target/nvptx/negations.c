/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Works around a fault of NVIDIA's assembler. It makes one instruction of max(max(a, -b), c), and
 * loses the sign: the result is max(a, b, c). CUDA 12.8 to 13.3 do this for sm_90 and sm_100, which
 * have such an instruction. The same happens with minima, for signed integers of 16 and 32 bits,
 * and with what LLVM turns into a negation: products with -2^k, and quotients by -2^k.
 *
 * A negation that reaches a minimum or maximum is written as ~b + 1. The complement is inline
 * assembly, because LLVM would make a negation of it again. The assembler adds and compares in one
 * instruction, so that nothing is lost.
 */
#include "target/nvptx/nvptx.h"

#include <string.h>

enum { MAX_WAY = 4 }; /* instructions between a negation and the extreme, such as phis */

static bool is_call_of(LLVMValueRef v, const char *intrinsic) {
    LLVMValueRef f = LLVMIsACallInst(v) ? LLVMGetCalledValue(v) : NULL;
    return f && LLVMIsAFunction(f) &&
           LLVMGetIntrinsicID(f) == LLVMLookupIntrinsicID(intrinsic, strlen(intrinsic));
}

static bool hands_on(LLVMValueRef v) {
    return LLVMIsAPHINode(v) || LLVMIsASelectInst(v) || LLVMIsACastInst(v) ||
           LLVMIsAFreezeInst(v) || LLVMIsAInsertElementInst(v) || LLVMIsAExtractElementInst(v) ||
           LLVMIsAShuffleVectorInst(v);
}

static bool reaches_extreme(LLVMValueRef v, int way) {
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (is_call_of(user, "llvm.smax") || is_call_of(user, "llvm.smin") ||
            (way && hands_on(user) && reaches_extreme(user, way - 1)))
            return true;
    }
    return false;
}

/* Is the value -2^k? The least number does not count: it is its own negation. */
static bool is_negative_power(LLVMValueRef v) {
    if (!v || !LLVMIsAConstantInt(v) || LLVMConstNeg(v) == v)
        return false;
    int64_t value = LLVMConstIntGetSExtValue(v);
    return value < 0 && (-value & (-value - 1)) == 0;
}

static unsigned lanes(LLVMValueRef v) {
    LLVMTypeRef type = LLVMTypeOf(v);
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 1;
}

static unsigned bits(LLVMValueRef v) {
    LLVMTypeRef type = LLVMTypeOf(v);
    return LLVMGetIntTypeWidth(
        LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type);
}

static unsigned count_negative_powers(LLVMValueRef v) {
    unsigned count = is_negative_power(v);
    for (unsigned i = 0; i < lanes(v) && lanes(v) > 1 && LLVMIsConstant(v); i++)
        count += is_negative_power(LLVMGetAggregateElement(v, i));
    return count;
}

/* Is the value 0 - x, or a product or quotient of x that becomes a negation? */
static bool is_negation(LLVMValueRef v) {
    if (!LLVMIsABinaryOperator(v))
        return false;
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    LLVMValueRef x = LLVMGetOperand(v, 0), y = LLVMGetOperand(v, 1);
    return (op == LLVMSub && LLVMIsConstant(x) && LLVMIsNull(x)) ||
           (op == LLVMMul && count_negative_powers(y) > 0) ||
           (op == LLVMSDiv && count_negative_powers(y) == lanes(y));
}

/* The operand of a negation. */
static LLVMValueRef negated(LLVMBuilderRef b, LLVMValueRef v) {
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    LLVMValueRef x = LLVMGetOperand(v, 0), y = LLVMGetOperand(v, 1);
    return op == LLVMSub   ? y
           : op == LLVMMul ? LLVMBuildMul(b, x, LLVMConstNeg(y), "")
                           : LLVMBuildSDiv(b, x, LLVMConstNeg(y), "");
}

static LLVMValueRef complement(LLVMBuilderRef b, LLVMValueRef v) {
    static const struct {
        unsigned bits;
        const char *text, *operands;
    } forms[] = {{16, "not.b16 $0, $1;", "=h,h"},
                 {32, "not.b32 $0, $1;", "=r,r"},
                 {64, "not.b64 $0, $1;", "=l,l"}};
    unsigned f = bits(v) <= 16 ? 0 : bits(v) <= 32 ? 1 : 2;
    LLVMTypeRef wide = LLVMIntTypeInContext(LLVMGetTypeContext(LLVMTypeOf(v)), forms[f].bits);
    LLVMTypeRef type = LLVMFunctionType(wide, &wide, 1, false);
    LLVMValueRef code =
        LLVMGetInlineAsm(type, forms[f].text, strlen(forms[f].text), forms[f].operands,
                         strlen(forms[f].operands), false, false, LLVMInlineAsmDialectATT, false);
    LLVMValueRef from = LLVMBuildZExtOrBitCast(b, v, wide, "");
    LLVMValueRef inverse = LLVMBuildCall2(b, type, code, &from, 1, "");
    return LLVMBuildTruncOrBitCast(b, inverse, LLVMTypeOf(v), "");
}

static LLVMValueRef negation(LLVMBuilderRef b, LLVMValueRef v) {
    LLVMTypeRef type = LLVMTypeOf(v);
    if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind)
        return LLVMBuildAdd(b, complement(b, v), LLVMConstInt(type, 1, false), "");
    LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(type));
    LLVMValueRef all = LLVMGetPoison(type);
    for (unsigned i = 0; i < lanes(v); i++) {
        LLVMValueRef number = LLVMConstInt(i32, i, false);
        LLVMValueRef one = negation(b, LLVMBuildExtractElement(b, v, number, ""));
        all = LLVMBuildInsertElement(b, all, one, number, "");
    }
    return all;
}

static void keep_in(LLVMBuilderRef b, LLVMBasicBlockRef block) {
    for (LLVMValueRef next, i = LLVMGetFirstInstruction(block); i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (!is_negation(i) || bits(i) > 64 || !reaches_extreme(i, MAX_WAY))
            continue;
        LLVMPositionBuilderBefore(b, i);
        LLVMReplaceAllUsesWith(i, negation(b, negated(b, i)));
        LLVMInstructionEraseFromParent(i);
    }
}

void nvptx_keep_negations(LLVMModuleRef m) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(m));
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
             block = LLVMGetNextBasicBlock(block))
            keep_in(b, block);
    LLVMDisposeBuilder(b);
}
