/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A loop that carries a memref has a phi of its descriptor. LLVM's passes do not split such a phi,
 * so the pointer in it is not seen as one that the loop carries. Each phi of a struct or array
 * becomes a phi per element. The whole value is put together again behind the phis; LLVM's passes
 * remove what is not used.
 */
#include "split.h"

#include <stdbool.h>
#include <stddef.h>

static unsigned length_of(LLVMTypeRef t) {
    return LLVMGetTypeKind(t) == LLVMStructTypeKind ? LLVMCountStructElementTypes(t)
                                                    : (unsigned)LLVMGetArrayLength2(t);
}

/* An element is taken at the end of each predecessor: its terminator must not be the value, and the
 * predecessor must come once. */
static bool can_split(LLVMValueRef phi) {
    LLVMTypeRef t = LLVMTypeOf(phi);
    LLVMTypeKind kind = LLVMGetTypeKind(t);
    if ((kind != LLVMStructTypeKind && kind != LLVMArrayTypeKind) || length_of(t) > 16)
        return false;
    unsigned count = LLVMCountIncoming(phi);
    for (unsigned i = 0; i < count; i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        if (LLVMGetIncomingValue(phi, i) == LLVMGetBasicBlockTerminator(from))
            return false;
        for (unsigned j = 0; j < i; j++)
            if (LLVMGetIncomingBlock(phi, j) == from)
                return false;
    }
    return true;
}

static LLVMValueRef element_phi(LLVMBuilderRef b, LLVMValueRef phi, unsigned element) {
    LLVMTypeRef t = LLVMTypeOf(phi);
    LLVMPositionBuilderBefore(b, phi);
    LLVMValueRef made =
        LLVMBuildPhi(b,
                     LLVMGetTypeKind(t) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(t, element)
                                                              : LLVMGetElementType(t),
                     "");
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(from));
        LLVMValueRef value = LLVMBuildExtractValue(b, LLVMGetIncomingValue(phi, i), element, "");
        LLVMAddIncoming(made, &value, &from, 1);
    }
    return made;
}

static void split(LLVMBuilderRef b, LLVMValueRef phi) {
    LLVMValueRef parts[16], whole = LLVMGetPoison(LLVMTypeOf(phi));
    unsigned count = length_of(LLVMTypeOf(phi));
    for (unsigned i = 0; i < count; i++)
        parts[i] = element_phi(b, phi, i);
    LLVMValueRef first = phi;
    while (LLVMIsAPHINode(first))
        first = LLVMGetNextInstruction(first);
    LLVMPositionBuilderBefore(b, first);
    for (unsigned i = 0; i < count; i++)
        whole = LLVMBuildInsertValue(b, whole, parts[i], i, "");
    LLVMReplaceAllUsesWith(phi, whole);
    LLVMInstructionEraseFromParent(phi);
}

/* The first phi of the block that can be split; NULL: none. */
static LLVMValueRef next_of(LLVMBasicBlockRef block) {
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    for (; i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
        if (can_split(i))
            return i;
    return NULL;
}

void split_phis(LLVMModuleRef module) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    LLVMValueRef f = LLVMGetFirstFunction(module), phi;
    for (; f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(f); k; k = LLVMGetNextBasicBlock(k))
            while ((phi = next_of(k)))
                split(b, phi);
    LLVMDisposeBuilder(b);
}
