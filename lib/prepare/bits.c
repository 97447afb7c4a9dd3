/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Indices that depend on single bits of a number. Kernels whose red and black cells have an array
 * each ask whether it is odd: a[i + (y & 1)]. ScalarEvolution sees a remainder there. In a shadow
 * the last bit is a choice of 1 and 0, which detection takes as a choice among neighbours.
 * Where borders are mirrored with the border cell twice, the cell itself is x < 0 ? -1 - x : x.
 * LLVM turns all bits of x by its sign for that; in a shadow it is a choice again.
 * Neighbours that a number chooses, as the direction of an edge does, are in a switch: in a shadow
 * its cases are tests, one after the other.
 */
#include "prepare/bits.h"
#include "prepare/powers.h"

#include <stdlib.h>

enum { MOST_BITS = ST_LIMIT(64, 2), GREATEST = 1 << 16, MOST_CASES = 16 };

/* x & 1, or x & 2 as LLVM writes 2 * (x & 1). */
static bool is_bit(LLVMValueRef i) {
    if (LLVMGetInstructionOpcode(i) != LLVMAnd ||
        LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMIntegerTypeKind ||
        LLVMGetIntTypeWidth(LLVMTypeOf(i)) < 32 || !LLVMIsAConstantInt(LLVMGetOperand(i, 1)))
        return false;
    uint64_t mask = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 1));
    return mask > 0 && mask < GREATEST && (mask & (mask - 1)) == 0;
}

/* LLVM writes the last bit of x + 1 as that of x, turned. */
static bool is_turned(LLVMValueRef i, LLVMValueRef bit) {
    return LLVMGetInstructionOpcode(i) == LLVMXor && LLVMGetOperand(i, 0) == bit &&
           LLVMGetOperand(i, 1) == LLVMGetOperand(bit, 1);
}

static bool is_compared(LLVMValueRef bit) {
    for (LLVMUseRef u = LLVMGetFirstUse(bit); u; u = LLVMGetNextUse(u))
        if (!LLVMIsAICmpInst(LLVMGetUser(u)))
            return false;
    return true;
}

static bool is_sign_of(LLVMValueRef v, LLVMValueRef x) {
    if (!LLVMIsAInstruction(v) || LLVMGetInstructionOpcode(v) != LLVMAShr ||
        LLVMGetOperand(v, 0) != x || !LLVMIsAConstantInt(LLVMGetOperand(v, 1)))
        return false;
    return LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1)) + 1 == LLVMGetIntTypeWidth(LLVMTypeOf(x));
}

/* x ^ (x >> 31), x being the result. NULL: it is something else. */
static LLVMValueRef mirrored_by(LLVMValueRef i) {
    if (LLVMGetInstructionOpcode(i) != LLVMXor ||
        LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMIntegerTypeKind)
        return NULL;
    LLVMValueRef a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1);
    return is_sign_of(b, a) ? a : is_sign_of(a, b) ? b : NULL;
}

static size_t find_bits(LLVMValueRef function, LLVMValueRef bits[]) {
    size_t count = 0;
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function);
    for (; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (count < MOST_BITS && (mirrored_by(i) || (is_bit(i) && !is_compared(i))))
                bits[count++] = i;
    return count;
}

static LLVMValueRef choice_of(LLVMBuilderRef b, LLVMValueRef bit, LLVMIntPredicate p) {
    LLVMValueRef mask = LLVMGetOperand(bit, 1), none = LLVMConstInt(LLVMTypeOf(bit), 0, 0);
    LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(bit));
    LLVMValueRef same = LLVMBuildAnd(b, LLVMGetOperand(bit, 0), mask, "");
    return LLVMBuildSelect(b, LLVMBuildICmp(b, p, same, none, ""), mask, none, "");
}

/* x & 1 becomes (x & 1) != 0 ? 1 : 0, and its opposite likewise. */
static void make_choice(LLVMBuilderRef b, LLVMValueRef bit) {
    for (LLVMUseRef u = LLVMGetFirstUse(bit), next; u; u = next) {
        LLVMValueRef user = LLVMGetUser(u);
        next = LLVMGetNextUse(u);
        if (is_turned(user, bit))
            LLVMReplaceAllUsesWith(user, choice_of(b, bit, LLVMIntEQ));
    }
    LLVMReplaceAllUsesWith(bit, choice_of(b, bit, LLVMIntNE));
}

static void make_mirrored(LLVMBuilderRef b, LLVMValueRef i, LLVMValueRef x) {
    LLVMValueRef none = LLVMConstInt(LLVMTypeOf(x), 0, 0);
    LLVMPositionBuilderBefore(b, i);
    LLVMValueRef below = LLVMBuildICmp(b, LLVMIntSLT, x, none, "");
    LLVMReplaceAllUsesWith(i, LLVMBuildSelect(b, below, LLVMBuildNot(b, x, ""), x, ""));
}

/* The next block that ends in a switch. */
static LLVMBasicBlockRef find_switch(LLVMBasicBlockRef b) {
    for (; b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (LLVMIsASwitchInst(end) && LLVMGetNumSuccessors(end) <= MOST_CASES + 1)
            return b;
    }
    return NULL;
}

static void test_cases(LLVMValueRef function) {
    LLVMBasicBlockRef b = find_switch(LLVMGetFirstBasicBlock(function));
    for (; b; b = find_switch(LLVMGetNextBasicBlock(b)))
        br_test_cases(LLVMGetBasicBlockTerminator(b));
}

bool prep_choose(prep_shadow *s, br_function *f, LLVMValueRef function) {
    LLVMValueRef bits[MOST_BITS];
    s->f = NULL;
    bool masked = powers_found(f, function);
    bool any = masked || find_bits(function, bits) || find_switch(LLVMGetFirstBasicBlock(function));
    if (!any || !prep_make_shadow(s, f))
        return false;
    size_t count = find_bits(s->function, bits);
    s->powers = masked;
    powers_replace(s->f, s->function);
    test_cases(s->function);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(s->function)));
    for (size_t i = 0; i < count; i++) {
        LLVMValueRef x = mirrored_by(bits[i]);
        if (x)
            make_mirrored(b, bits[i], x);
        else
            make_choice(b, bits[i]);
    }
    LLVMDisposeBuilder(b);
    br_function_invalidate(s->f);
    return true;
}
