/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reads libstdc++'s vectors, and builds, in the program, a function that compares the rows of two
 * vectors of vectors:
 *
 *     i64 stencilopt.alike(i1 reads, ptr to, ptr from)
 *
 * It reads nothing if it is not to.
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

/* The parts of the function, in order: does it read? Are there rows? The first one; each one. */
enum { GATE, START, FIRST, ROW, END, BLOCKS };

typedef struct builder {
    LLVMValueRef f, zero, first, at[2], end; /* `first`: the bytes of the first row; `at`: rows */
    LLVMBuilderRef b;
    LLVMBasicBlockRef block[BLOCKS];
    LLVMTypeRef i64, pointer;
} builder;

static LLVMValueRef bytes_of(const builder *a, LLVMValueRef vector) {
    return prep_bytes_between(a->b, a->i64, prep_vector_word(a->b, a->pointer, vector, 0),
                              prep_vector_word(a->b, a->pointer, vector, 1));
}

static void build_start(builder *a) {
    LLVMPositionBuilderAtEnd(a->b, a->block[GATE]);
    LLVMBuildCondBr(a->b, LLVMGetParam(a->f, 0), a->block[START], a->block[END]);
    LLVMPositionBuilderAtEnd(a->b, a->block[START]);
    for (unsigned k = 0; k < 2; k++)
        a->at[k] = prep_vector_word(a->b, a->pointer, LLVMGetParam(a->f, k + 1), 0);
    a->end = prep_vector_word(a->b, a->pointer, LLVMGetParam(a->f, 1), 1);
    LLVMValueRef some = LLVMBuildICmp(a->b, LLVMIntULT, a->at[0], a->end, "");
    LLVMBuildCondBr(a->b, some, a->block[FIRST], a->block[END]);
    LLVMPositionBuilderAtEnd(a->b, a->block[FIRST]);
    a->first = bytes_of(a, a->at[0]);
    LLVMBuildBr(a->b, a->block[ROW]);
}

/* Goes on as long as rows have as many bytes as the first one. */
static LLVMValueRef build_rows(builder *a) {
    LLVMValueRef head = LLVMConstInt(a->i64, VECTOR_BYTES, false), row[2], next[2], same = NULL;
    LLVMPositionBuilderAtEnd(a->b, a->block[ROW]);
    for (int k = 0; k < 2; k++) {
        row[k] = LLVMBuildPhi(a->b, a->pointer, "");
        LLVMAddIncoming(row[k], &a->at[k], &a->block[FIRST], 1);
    }
    LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetTypeContext(a->i64));
    for (int k = 0; k < 2; k++) {
        LLVMValueRef is = LLVMBuildICmp(a->b, LLVMIntEQ, bytes_of(a, row[k]), a->first, "");
        same = same ? LLVMBuildAnd(a->b, same, is, "") : is;
        next[k] = LLVMBuildGEP2(a->b, byte, row[k], &head, 1, "");
        LLVMAddIncoming(row[k], &next[k], &a->block[ROW], 1);
    }
    LLVMValueRef bytes = LLVMBuildSelect(a->b, same, a->first, a->zero, "");
    LLVMValueRef more = LLVMBuildICmp(a->b, LLVMIntULT, next[0], a->end, "");
    LLVMBuildCondBr(a->b, LLVMBuildAnd(a->b, same, more, ""), a->block[ROW], a->block[END]);
    return bytes;
}

static LLVMValueRef build_alike(LLVMModuleRef m) {
    LLVMContextRef c = LLVMGetModuleContext(m);
    builder a = {.b = LLVMCreateBuilderInContext(c),
                 .i64 = LLVMInt64TypeInContext(c),
                 .pointer = LLVMPointerTypeInContext(c, 0)};
    LLVMTypeRef types[] = {LLVMInt1TypeInContext(c), a.pointer, a.pointer};
    a.f = LLVMAddFunction(m, alike, LLVMFunctionType(a.i64, types, 3, false));
    a.zero = LLVMConstInt(a.i64, 0, false);
    LLVMSetLinkage(a.f, LLVMInternalLinkage);
    for (int k = 0; k < BLOCKS; k++)
        a.block[k] = LLVMAppendBasicBlockInContext(c, a.f, "");
    build_start(&a);
    LLVMValueRef given[] = {a.zero, a.zero, build_rows(&a)};
    LLVMPositionBuilderAtEnd(a.b, a.block[END]);
    LLVMValueRef result = LLVMBuildPhi(a.b, a.i64, "");
    LLVMAddIncoming(result, given,
                    (LLVMBasicBlockRef[]){a.block[GATE], a.block[START], a.block[ROW]}, 3);
    LLVMBuildRet(a.b, result);
    LLVMDisposeBuilder(a.b);
    return a.f;
}

LLVMValueRef prep_add_alike(LLVMModuleRef m) {
    LLVMValueRef f = LLVMGetNamedFunction(m, alike);
    return f ? f : build_alike(m);
}

void prep_drop_alike(LLVMModuleRef m) {
    LLVMValueRef f = LLVMGetNamedFunction(m, alike);
    if (f && !LLVMGetFirstUse(f))
        LLVMDeleteFunction(f);
}
