/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Small builders that all generators share.
 */
#include "codegen/build.h"

LLVMValueRef gen_add32(const gen_expr *e, LLVMValueRef a, int b) {
    return b ? LLVMBuildAdd(e->b, a, gen_int32(e, b), "") : a;
}

LLVMValueRef gen_times32(const gen_expr *e, LLVMValueRef a, int b) {
    return b == 1 ? a : LLVMBuildMul(e->b, a, gen_int32(e, b), "");
}

LLVMValueRef gen_widen(const gen_expr *e, LLVMValueRef v) {
    return LLVMBuildZExt(e->b, v, gen_i64(e), "");
}

LLVMValueRef gen_extend(const gen_expr *e, LLVMValueRef v) {
    return LLVMBuildSExt(e->b, v, gen_i64(e), "");
}

LLVMValueRef gen_less(const gen_expr *e, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildICmp(e->b, LLVMIntSLT, a, b, "");
}

LLVMValueRef gen_smaller(const gen_expr *e, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildSelect(e->b, gen_less(e, a, b), a, b, "");
}

LLVMValueRef gen_greater(const gen_expr *e, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildSelect(e->b, gen_less(e, a, b), b, a, "");
}

LLVMValueRef gen_both(const gen_expr *e, LLVMValueRef a, LLVMValueRef b) {
    return !a ? b : !b ? a : LLVMBuildAnd(e->b, a, b, "");
}

LLVMValueRef gen_bit_if(const gen_expr *e, LLVMValueRef condition, int number) {
    LLVMValueRef bit = gen_int32(e, (int32_t)(1u << number));
    return LLVMBuildSelect(e->b, condition, bit, gen_int32(e, 0), "");
}

LLVMTypeRef gen_byte(const gen_expr *e) {
    return LLVMInt8TypeInContext(e->context);
}

LLVMValueRef gen_element(const gen_expr *e, LLVMTypeRef type, LLVMValueRef array, LLVMValueRef i) {
    return LLVMBuildGEP2(e->b, type, array, &i, 1, "");
}

LLVMValueRef gen_bytes_on(const gen_expr *e, LLVMValueRef pointer, LLVMValueRef bytes) {
    return gen_element(e, gen_byte(e), pointer, bytes);
}

void gen_split(const gen_expr *e, LLVMValueRef vector, int count, LLVMValueRef *out) {
    for (int k = 0; k < count; k++)
        out[k] = LLVMBuildExtractElement(e->b, vector, gen_int32(e, k), "");
}

LLVMValueRef gen_join(const gen_expr *e, LLVMTypeRef vector, int count, LLVMValueRef const *v) {
    LLVMValueRef all = LLVMGetPoison(vector);
    for (int k = 0; k < count; k++)
        all = LLVMBuildInsertElement(e->b, all, v[k], gen_int32(e, k), "");
    return all;
}

LLVMValueRef gen_load(const gen_expr *e, LLVMTypeRef type, LLVMValueRef from, size_t alignment) {
    LLVMValueRef v = LLVMBuildLoad2(e->b, type, from, "");
    LLVMSetAlignment(v, (unsigned)alignment);
    return v;
}

void gen_store(const gen_expr *e, LLVMValueRef v, LLVMValueRef to, size_t alignment) {
    LLVMSetAlignment(LLVMBuildStore(e->b, v, to), (unsigned)alignment);
}

LLVMValueRef gen_launch(const gen_expr *e, tg_launch_value value, int d) {
    return gen_widen(e, tg_launch(e->b, value, d));
}

LLVMBasicBlockRef gen_add_block(LLVMValueRef function, const char *name) {
    return LLVMAppendBasicBlockInContext(LLVMGetTypeContext(LLVMTypeOf(function)), function, name);
}

LLVMBasicBlockRef gen_begin_if(const gen_expr *e, LLVMValueRef function, LLVMValueRef condition,
                               const char *name, const char *after) {
    LLVMBasicBlockRef body = gen_add_block(function, name), next = gen_add_block(function, after);
    LLVMBuildCondBr(e->b, condition, body, next);
    LLVMPositionBuilderAtEnd(e->b, body);
    return next;
}

void gen_end_if(const gen_expr *e, LLVMBasicBlockRef after) {
    LLVMBuildBr(e->b, after);
    LLVMPositionBuilderAtEnd(e->b, after);
}
