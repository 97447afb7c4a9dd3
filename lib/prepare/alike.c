/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reads libstdc++'s vectors, and builds, in the program, a function that compares the rows of two
 * vectors of vectors:
 *
 *     i64 stencilopt.alike(ptr to, ptr from)
 */
#include "prepare/alike.h"

LLVMValueRef prep_vector_word(LLVMBuilderRef b, LLVMTypeRef pointer, LLVMValueRef vector,
                              uint64_t word) {
    LLVMContextRef c = LLVMGetTypeContext(pointer);
    LLVMValueRef away = LLVMConstInt(LLVMInt64TypeInContext(c), word * VECTOR_WORD, false);
    LLVMValueRef at = LLVMBuildGEP2(b, LLVMInt8TypeInContext(c), vector, &away, 1, "");
    LLVMValueRef load = LLVMBuildLoad2(b, pointer, at, "");
    LLVMSetAlignment(load, VECTOR_WORD);
    return load;
}

LLVMValueRef prep_bytes_between(LLVMBuilderRef b, LLVMTypeRef i64, LLVMValueRef begin,
                                LLVMValueRef end) {
    return LLVMBuildSub(b, LLVMBuildPtrToInt(b, end, i64, ""), LLVMBuildPtrToInt(b, begin, i64, ""),
                        "");
}

static const char alike[] = "stencilopt.alike";

/* How many bytes each row has; 0: none, or rows differ. */
static LLVMValueRef build_alike(LLVMModuleRef m, LLVMTypeRef type) {
    LLVMContextRef c = LLVMGetModuleContext(m);
    LLVMValueRef f = LLVMAddFunction(m, alike, type), row[2], end, bytes[2], next[2];
    LLVMTypeRef i64 = LLVMInt64TypeInContext(c), pointer = LLVMPointerTypeInContext(c, 0);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
    LLVMBasicBlockRef block[4];
    for (int k = 0; k < 4; k++) /* the start, the first row, further ones, the end */
        block[k] = LLVMAppendBasicBlockInContext(c, f, "");
    LLVMSetLinkage(f, LLVMInternalLinkage);
    LLVMPositionBuilderAtEnd(b, block[0]);
    LLVMValueRef zero = LLVMConstInt(i64, 0, false), head = LLVMConstInt(i64, VECTOR_BYTES, false);
    for (unsigned k = 0; k < 2; k++)
        row[k] = prep_vector_word(b, pointer, LLVMGetParam(f, k), 0);
    end = prep_vector_word(b, pointer, LLVMGetParam(f, 0), 1);
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntULT, row[0], end, ""), block[1], block[3]);
    LLVMPositionBuilderAtEnd(b, block[1]);
    LLVMValueRef first = prep_bytes_between(b, i64, prep_vector_word(b, pointer, row[0], 0),
                                            prep_vector_word(b, pointer, row[0], 1));
    LLVMBuildBr(b, block[2]);
    LLVMPositionBuilderAtEnd(b, block[2]);
    for (int k = 0; k < 2; k++) {
        LLVMValueRef at = LLVMBuildPhi(b, pointer, "");
        LLVMAddIncoming(at, &row[k], &block[1], 1);
        row[k] = at;
    }
    for (int k = 0; k < 2; k++) {
        bytes[k] = prep_bytes_between(b, i64, prep_vector_word(b, pointer, row[k], 0),
                                      prep_vector_word(b, pointer, row[k], 1));
        next[k] = LLVMBuildGEP2(b, LLVMInt8TypeInContext(c), row[k], &head, 1, "");
        LLVMAddIncoming(row[k], &next[k], &block[2], 1);
    }
    LLVMValueRef same = LLVMBuildAnd(b, LLVMBuildICmp(b, LLVMIntEQ, bytes[0], first, ""),
                                     LLVMBuildICmp(b, LLVMIntEQ, bytes[1], first, ""), "");
    LLVMValueRef more = LLVMBuildICmp(b, LLVMIntULT, next[0], end, "");
    LLVMBuildCondBr(b, LLVMBuildAnd(b, same, more, ""), block[2], block[3]);
    LLVMPositionBuilderAtEnd(b, block[3]);
    LLVMValueRef result = LLVMBuildPhi(b, i64, ""), given[] = {zero, NULL};
    LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(block[2]));
    given[1] = LLVMBuildSelect(b, same, first, zero, "");
    LLVMAddIncoming(result, given, (LLVMBasicBlockRef[]){block[0], block[2]}, 2);
    LLVMPositionBuilderAtEnd(b, block[3]);
    LLVMBuildRet(b, result);
    LLVMDisposeBuilder(b);
    return f;
}

LLVMValueRef prep_add_alike(LLVMModuleRef m, LLVMTypeRef type) {
    LLVMValueRef f = LLVMGetNamedFunction(m, alike);
    return f ? f : build_alike(m, type);
}

void prep_drop_alike(LLVMModuleRef m) {
    LLVMValueRef f = LLVMGetNamedFunction(m, alike);
    if (f && !LLVMGetFirstUse(f))
        LLVMDeleteFunction(f);
}
