/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Phis that are always equal. LLVM leaves them where a variable becomes a register twice, as what
 * was stored last and as what is computed next: the private variable of an OpenMP reduction that
 * is added to under a condition.
 *
 * Two phis of a block are equal if for each way of control the values that come by it are the same
 * one, or two phis that are equal, or two choices by one condition of such values. Where that leads
 * back to two that are being looked at, they count as equal: each way into the blocks begins with
 * values that are the same one.
 */
#include "prepare/shadow.h"

enum { MAX_PAIRS = 32 };

typedef struct pairs {
    LLVMValueRef kept[MAX_PAIRS], other[MAX_PAIRS];
    int count;
} pairs;

LLVMValueRef prep_value_from(LLVMValueRef phi, LLVMBasicBlockRef from, unsigned likely) {
    if (LLVMGetIncomingBlock(phi, likely) == from)
        return LLVMGetIncomingValue(phi, likely);
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
        if (LLVMGetIncomingBlock(phi, k) == from)
            return LLVMGetIncomingValue(phi, k);
    return NULL;
}

static bool are_phis_of_block(LLVMValueRef a, LLVMValueRef b) {
    return LLVMIsAPHINode(a) && LLVMIsAPHINode(b) && LLVMTypeOf(a) == LLVMTypeOf(b) &&
           LLVMGetInstructionParent(a) == LLVMGetInstructionParent(b);
}

static bool are_choices(LLVMValueRef a, LLVMValueRef b) {
    return LLVMIsASelectInst(a) && LLVMIsASelectInst(b) && LLVMTypeOf(a) == LLVMTypeOf(b) &&
           LLVMGetInstructionParent(a) == LLVMGetInstructionParent(b) &&
           LLVMGetOperand(a, 0) == LLVMGetOperand(b, 0) &&
           LLVMCanValueUseFastMathFlags(a) == LLVMCanValueUseFastMathFlags(b) &&
           (!LLVMCanValueUseFastMathFlags(a) || LLVMGetFastMathFlags(a) == LLVMGetFastMathFlags(b));
}

/* Lists the pairs that are equal if these are. Of two choices the earlier one is kept. */
static bool are_equal(pairs *p, LLVMValueRef a, LLVMValueRef b) {
    if (a == b)
        return true;
    for (int k = 0; k < p->count; k++)
        if ((p->kept[k] == a && p->other[k] == b) || (p->kept[k] == b && p->other[k] == a))
            return true;
    bool choices = a && b && are_choices(a, b);
    if (!a || !b || !(choices || are_phis_of_block(a, b)) || p->count == MAX_PAIRS)
        return false;
    bool later = choices && br_earlier_in_block(b, a);
    p->kept[p->count] = later ? b : a;
    p->other[p->count++] = later ? a : b;
    if (choices)
        return are_equal(p, LLVMGetOperand(a, 1), LLVMGetOperand(b, 1)) &&
               are_equal(p, LLVMGetOperand(a, 2), LLVMGetOperand(b, 2));
    bool equal = true;
    for (unsigned k = 0; k < LLVMCountIncoming(a) && equal; k++)
        equal = are_equal(p, LLVMGetIncomingValue(a, k),
                          prep_value_from(b, LLVMGetIncomingBlock(a, k), k));
    return equal;
}

/* Of three that are equal two pairs are listed, which may begin with the same one. */
static void merge(pairs *p) {
    for (int k = 0; k < p->count; k++) {
        LLVMValueRef kept = p->kept[k], other = p->other[k];
        if (kept == other)
            continue;
        LLVMReplaceAllUsesWith(other, kept);
        for (int j = k + 1; j < p->count; j++) {
            p->kept[j] = p->kept[j] == other ? kept : p->kept[j];
            p->other[j] = p->other[j] == other ? kept : p->other[j];
        }
        LLVMInstructionEraseFromParent(other);
    }
}

/* Merges the phi with one behind it in its block. */
static bool merge_one(LLVMValueRef phi) {
    LLVMValueRef other = LLVMGetNextInstruction(phi);
    for (; other && LLVMIsAPHINode(other); other = LLVMGetNextInstruction(other)) {
        pairs p = {.count = 0};
        if (!are_equal(&p, phi, other))
            continue;
        merge(&p);
        return true;
    }
    return false;
}

void prep_merge_phis(LLVMValueRef function) {
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function);
    for (; b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef phi = LLVMGetFirstInstruction(b);
        while (phi && LLVMIsAPHINode(phi)) /* the phi itself may be merged with another one */
            phi = merge_one(phi) ? LLVMGetFirstInstruction(b) : LLVMGetNextInstruction(phi);
    }
}
