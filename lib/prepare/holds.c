/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Builds, in the program, a function that compares the elements of a table of indices with what
 * they seem to be:
 *
 *     i1 stencilopt.holds.i32(i1 reads, i1 through, ptr table, i64 first, last, away, base, ends)
 *
 * It reads nothing if it is not to.
 */
#include "prepare/holds.h"

#include <string.h>

enum { READS, THROUGH, TABLE, FIRST, LAST, AWAY, BASE, ENDS, PARAMETERS };
enum { READS_MEMORY = 0x55 }; /* as llvm/Support/ModRef.h encodes it */

static LLVMTypeRef type_of(LLVMContextRef c) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(c), bit = LLVMInt1TypeInContext(c);
    LLVMTypeRef types[PARAMETERS] = {bit, bit, LLVMPointerTypeInContext(c, 0), i64, i64, i64,
                                     i64, i64};
    return LLVMFunctionType(bit, types, PARAMETERS, false);
}

/* What element number `index` must hold. */
static LLVMValueRef build_index(LLVMBuilderRef b, LLVMValueRef f, LLVMValueRef index) {
    LLVMTypeRef i64 = LLVMTypeOf(index);
    LLVMValueRef first = LLVMGetParam(f, FIRST), last = LLVMGetParam(f, LAST);
    LLVMValueRef at = LLVMBuildAdd(b, index, LLVMGetParam(f, AWAY), "");
    LLVMValueRef count = LLVMBuildSub(b, last, first, "");
    count = LLVMBuildAdd(b, count, LLVMConstInt(i64, 1, false), "");
    LLVMValueRef low = LLVMBuildICmp(b, LLVMIntSLT, at, first, "");
    LLVMValueRef high = LLVMBuildICmp(b, LLVMIntSGT, at, last, "");
    LLVMValueRef round = LLVMBuildSelect(b, high, LLVMBuildSub(b, at, count, ""), at, "");
    round = LLVMBuildSelect(b, low, LLVMBuildAdd(b, at, count, ""), round, "");
    LLVMValueRef clamped = LLVMBuildSelect(b, high, last, at, "");
    clamped = LLVMBuildSelect(b, low, first, clamped, "");
    LLVMValueRef brought[] = {[FILL_OPEN] = at, [FILL_CLAMPED] = clamped, [FILL_PERIODIC] = round};
    for (unsigned k = FILL_OPEN; k <= FILL_PERIODIC; k++) {
        LLVMValueRef is = LLVMConstInt(i64, k, false);
        is = LLVMBuildICmp(b, LLVMIntEQ, LLVMGetParam(f, ENDS), is, "");
        at = LLVMBuildSelect(b, is, brought[k], at, "");
    }
    return LLVMBuildAdd(b, at, LLVMGetParam(f, BASE), "");
}

/* The parts of the function, in order. */
enum { ENTRY, TAKE, LOOP, NEXT, END, BLOCKS };

typedef struct holds {
    LLVMValueRef f;
    LLVMBuilderRef b;
    LLVMBasicBlockRef block[BLOCKS];
    LLVMTypeRef element, i64;
} holds;

static LLVMValueRef number(const holds *h, int64_t n) {
    return LLVMConstInt(h->i64, (uint64_t)n, true);
}

/* Goes on only if it is to read, and indices are not too large. */
static void build_entry(const holds *h) {
    static const int64_t most = INT64_C(1) << 29;
    LLVMValueRef first = LLVMGetParam(h->f, FIRST), last = LLVMGetParam(h->f, LAST);
    LLVMPositionBuilderAtEnd(h->b, h->block[ENTRY]);
    LLVMValueRef some = LLVMBuildICmp(h->b, LLVMIntSLE, first, last, "");
    LLVMValueRef below = LLVMBuildICmp(h->b, LLVMIntSLT, last, number(h, most), "");
    LLVMValueRef above = LLVMBuildICmp(h->b, LLVMIntSGT, first, number(h, -most), "");
    LLVMValueRef go = LLVMBuildAnd(h->b, LLVMGetParam(h->f, READS), some, "");
    go = LLVMBuildAnd(h->b, go, LLVMBuildAnd(h->b, below, above, ""), "");
    LLVMValueRef through = LLVMBuildAnd(h->b, go, LLVMGetParam(h->f, THROUGH), "");
    LLVMBasicBlockRef direct = LLVMAppendBasicBlockInContext(LLVMGetTypeContext(h->i64), h->f, "");
    LLVMBuildCondBr(h->b, through, h->block[TAKE], direct);
    LLVMPositionBuilderAtEnd(h->b, direct);
    LLVMBuildCondBr(h->b, go, h->block[LOOP], h->block[END]);
}

static void build_loop(const holds *h) {
    LLVMBasicBlockRef direct = LLVMGetLastBasicBlock(h->f);
    LLVMBuilderRef b = h->b;
    LLVMPositionBuilderAtEnd(b, h->block[TAKE]);
    LLVMTypeRef pointer = LLVMTypeOf(LLVMGetParam(h->f, TABLE));
    LLVMValueRef given = LLVMGetParam(h->f, TABLE), taken = LLVMBuildLoad2(b, pointer, given, "");
    taken = LLVMBuildFreeze(b, taken, "");
    LLVMBuildBr(b, h->block[LOOP]);
    LLVMPositionBuilderAtEnd(b, h->block[LOOP]);
    LLVMValueRef index = LLVMBuildPhi(b, h->i64, ""), table = LLVMBuildPhi(b, pointer, "");
    LLVMValueRef at = LLVMBuildGEP2(b, h->element, table, &index, 1, "");
    LLVMValueRef load = LLVMBuildLoad2(b, h->element, at, "");
    LLVMSetAlignment(load, 1);
    LLVMValueRef is = LLVMBuildSExt(b, LLVMBuildFreeze(b, load, ""), h->i64, "");
    LLVMValueRef same = LLVMBuildICmp(b, LLVMIntEQ, is, build_index(b, h->f, index), "");
    LLVMBuildCondBr(b, same, h->block[NEXT], h->block[END]);
    LLVMPositionBuilderAtEnd(b, h->block[NEXT]);
    LLVMValueRef first = LLVMGetParam(h->f, FIRST), last = LLVMGetParam(h->f, LAST);
    LLVMValueRef more = LLVMBuildAdd(b, index, number(h, 1), "");
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntSLE, more, last, ""), h->block[LOOP], h->block[END]);
    LLVMBasicBlockRef from[] = {direct, h->block[TAKE], h->block[NEXT]};
    LLVMAddIncoming(index, (LLVMValueRef[]){first, first, more}, from, 3);
    LLVMAddIncoming(table, (LLVMValueRef[]){given, taken, table}, from, 3);
    LLVMTypeRef bit = LLVMTypeOf(same);
    LLVMValueRef no = LLVMConstInt(bit, 0, false), yes = LLVMConstInt(bit, 1, false);
    LLVMPositionBuilderAtEnd(b, h->block[END]);
    LLVMValueRef result = LLVMBuildPhi(b, bit, "");
    LLVMAddIncoming(result, (LLVMValueRef[]){no, no, yes},
                    (LLVMBasicBlockRef[]){direct, h->block[LOOP], h->block[NEXT]}, 3);
    LLVMBuildRet(b, result);
}

static void promise(LLVMValueRef f, const char *name, uint64_t value) {
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(f));
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(c, kind, value));
}

static LLVMValueRef build_function(LLVMModuleRef m, const char *name, LLVMTypeRef element) {
    LLVMContextRef c = LLVMGetModuleContext(m);
    holds h = {.f = LLVMAddFunction(m, name, type_of(c)),
               .b = LLVMCreateBuilderInContext(c),
               .element = element,
               .i64 = LLVMInt64TypeInContext(c)};
    LLVMSetLinkage(h.f, LLVMInternalLinkage);
    promise(h.f, "nounwind", 0);
    promise(h.f, "willreturn", 0);
    promise(h.f, "nofree", 0);
    promise(h.f, "nosync", 0);
    promise(h.f, "memory", READS_MEMORY);
    for (int i = 0; i < BLOCKS; i++)
        h.block[i] = LLVMAppendBasicBlockInContext(c, h.f, "");
    build_entry(&h);
    build_loop(&h);
    LLVMDisposeBuilder(h.b);
    return h.f;
}

static const char *name_of(unsigned bits) {
    return bits == 32 ? "stencilopt.holds.i32" : "stencilopt.holds.i64";
}

LLVMValueRef prep_build_holds(LLVMBuilderRef b, LLVMModuleRef m, LLVMTypeRef element,
                              const prep_holds *h) {
    LLVMContextRef c = LLVMGetModuleContext(m);
    LLVMTypeRef i64 = LLVMInt64TypeInContext(c);
    const char *name = name_of(LLVMGetIntTypeWidth(element));
    LLVMValueRef f = LLVMGetNamedFunction(m, name);
    LLVMValueRef given[PARAMETERS] = {[READS] = h->reads,
                                      [THROUGH] =
                                          LLVMConstInt(LLVMInt1TypeInContext(c), h->through, false),
                                      [TABLE] = h->table,
                                      [FIRST] = h->first,
                                      [LAST] = h->last,
                                      [AWAY] = LLVMConstInt(i64, (uint64_t)h->fill.away, true),
                                      [BASE] = LLVMConstInt(i64, (uint64_t)h->fill.base, true),
                                      [ENDS] = LLVMConstInt(i64, h->fill.ends, false)};
    return LLVMBuildCall2(b, type_of(c), f ? f : build_function(m, name, element), given,
                          PARAMETERS, "");
}

void prep_drop_holds(LLVMModuleRef m) {
    for (unsigned bits = 32; bits <= 64; bits += 32) {
        LLVMValueRef f = LLVMGetNamedFunction(m, name_of(bits));
        if (f && !LLVMGetFirstUse(f))
            LLVMDeleteFunction(f);
    }
}
