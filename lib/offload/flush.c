/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * May a region's denormal numbers be flushed to zero as well as kept? A program may set its
 * processor to flush them (x86's FTZ and DAZ, AArch64's FZ). Kernels keep denormal numbers. Two
 * kinds of programs allow both. One says so by the attribute denormal-fp-math. The other was linked
 * with -funsafe-math-optimizations (-ffast-math), which sets the processor so before main. That
 * option leaves no mark on functions. It leaves flags on each operation, which allow
 * approximations: two of these flags are tested here.
 */
#include "offload/rewrite.h"

#include <stdlib.h>
#include <string.h>

static const LLVMFastMathFlags approximate = LLVMFastMathAllowReassoc | LLVMFastMathApproxFunc;

/* The attribute denormal-fp-math has a word for results and a word for operands, with a comma
 * between. */
static bool says_either(LLVMValueRef function, const char *name) {
    unsigned length;
    LLVMAttributeRef a = LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, name,
                                                       (unsigned)strlen(name));
    const char *value = a ? LLVMGetStringAttributeValue(a, &length) : "ieee";
    return strncmp(value, "ieee", 4) && strncmp(value, "dynamic", 7);
}

static bool is_float(LLVMValueRef v, LLVMTypeKind *kind) {
    LLVMTypeRef t = LLVMTypeOf(v);
    if (LLVMGetTypeKind(t) == LLVMVectorTypeKind)
        t = LLVMGetElementType(t);
    *kind = LLVMGetTypeKind(t);
    return *kind == LLVMFloatTypeKind || *kind == LLVMDoubleTypeKind;
}

/* Such a call looks at signs and exponents only, so it does not depend on the mode. */
static bool is_bitwise(LLVMValueRef call) {
    static const char *const names[] = {"llvm.fabs.", "llvm.copysign.", "llvm.is.fpclass."};
    size_t length;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strncmp(name, names[i], strlen(names[i])))
            return true;
    return false;
}

/* Does the instruction's result depend on the processor's mode? */
static bool asks_for_mode(LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMFRem:
    case LLVMFCmp:
    case LLVMFPTrunc:
    case LLVMFPExt:
        return true;
    case LLVMCall:
        return !is_bitwise(i);
    default:
        return false;
    }
}

static bool block_takes_either(LLVMBasicBlockRef block, bool floats_too) {
    LLVMTypeKind kind;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (!asks_for_mode(i) || !is_float(LLVMGetOperand(i, 0), &kind))
            continue;
        bool said = floats_too && kind == LLVMFloatTypeKind;
        bool flagged = LLVMCanValueUseFastMathFlags(i) &&
                       (LLVMGetFastMathFlags(i) & approximate) == approximate;
        if (!said && !flagged)
            return false;
    }
    return true;
}

bool offload_takes_either(const host_region *r) {
    if (says_either(r->function, "denormal-fp-math"))
        return true;
    bool floats_too = says_either(r->function, "denormal-fp-math-f32"), good = true;
    br_loop outer = r->steps ? r->steps->time : r->outer;
    size_t count = br_loop_blocks(outer, NULL, 0);
    LLVMBasicBlockRef *blocks = malloc((count + 1) * sizeof *blocks);
    br_loop_blocks(outer, blocks, count);
    for (size_t b = 0; b < count && good; b++)
        good = block_takes_either(blocks[b], floats_too);
    free(blocks);
    return good;
}
