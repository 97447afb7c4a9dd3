/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Small builders of resident kernels: variables, bits, and code that a condition skips.
 */
#include "codegen/resident/resident.h"

/* Made in the entry block, so that the variable is one place however often control comes here. */
LLVMValueRef rs_variable(rs_kernel *t, LLVMTypeRef type, LLVMValueRef start) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(t->g.e.context);
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(t->g.function);
    LLVMValueRef first = LLVMGetFirstInstruction(entry);
    if (first)
        LLVMPositionBuilderBefore(b, first);
    else
        LLVMPositionBuilderAtEnd(b, entry);
    LLVMValueRef v = LLVMBuildAlloca(b, type, "");
    LLVMDisposeBuilder(b);
    if (start)
        LLVMBuildStore(t->g.e.b, start, v);
    return v;
}

LLVMValueRef rs_get(rs_kernel *t, LLVMValueRef variable) {
    return LLVMBuildLoad2(t->g.e.b, LLVMGetAllocatedType(variable), variable, "");
}

void rs_set(rs_kernel *t, LLVMValueRef variable, LLVMValueRef v) {
    LLVMBuildStore(t->g.e.b, v, variable);
}

LLVMValueRef rs_bit(rs_kernel *t, LLVMValueRef bits, int number) {
    LLVMValueRef one = gen_int32(&t->g.e, (int32_t)(1u << number));
    LLVMValueRef v = LLVMBuildAnd(t->g.e.b, bits, one, "");
    return LLVMBuildICmp(t->g.e.b, LLVMIntNE, v, gen_int32(&t->g.e, 0), "");
}

/* One test of a row takes LLVM far longer than a shift for all of them: it compares the conditions
 * of all rows with one another. */
LLVMValueRef rs_below(rs_kernel *t, LLVMValueRef first, LLVMValueRef end, int count) {
    LLVMBuilderRef b = t->g.e.b;
    if (count == 1)
        return gen_bit_if(&t->g.e, gen_less(&t->g.e, first, end), 0);
    LLVMValueRef one = gen_int64(&t->g.e, 1), rows = LLVMBuildSub(b, end, first, "");
    rows = gen_greater(&t->g.e, rows, gen_int32(&t->g.e, 0));
    rows = gen_smaller(&t->g.e, rows, gen_int32(&t->g.e, count));
    LLVMValueRef bit = LLVMBuildShl(b, one, gen_widen(&t->g.e, rows), "");
    return LLVMBuildTrunc(b, LLVMBuildSub(b, bit, one, ""), gen_i32(&t->g.e), "");
}

LLVMValueRef rs_between(rs_kernel *t, LLVMValueRef first, LLVMValueRef from, LLVMValueRef end,
                        int count) {
    LLVMBuilderRef b = t->g.e.b;
    LLVMValueRef before = LLVMBuildNot(b, rs_below(t, first, from, count), "");
    return LLVMBuildAnd(b, rs_below(t, first, end, count), before, "");
}

LLVMValueRef rs_of_rows(rs_kernel *t, LLVMValueRef bits) {
    uint32_t rows = (uint32_t)((1ull << t->RY) - 1), planes = 0;
    if (t->RZ == 1)
        return bits;
    for (int w = 0; w < t->RZ; w++)
        planes |= 1u << rs_row(t, w, 0);
    bits = LLVMBuildAnd(t->g.e.b, bits, gen_int32(&t->g.e, (int32_t)rows), "");
    return gen_times32(&t->g.e, bits, (int32_t)planes);
}

LLVMValueRef rs_of_planes(rs_kernel *t, LLVMValueRef bits) {
    LLVMBuilderRef b = t->g.e.b;
    uint32_t rows = (uint32_t)((1ull << t->RY) - 1);
    LLVMValueRef none = gen_int32(&t->g.e, 0), all = none;
    for (int w = 0; w < t->RZ; w++) {
        LLVMValueRef plane = gen_int32(&t->g.e, (int32_t)(rows << rs_row(t, w, 0)));
        plane = LLVMBuildSelect(b, rs_bit(t, bits, w), plane, none, "");
        all = LLVMBuildOr(b, all, plane, "");
    }
    return all;
}

LLVMValueRef rs_all(rs_kernel *t, LLVMValueRef const *v, int count) {
    LLVMValueRef all = v[0];
    for (int i = 1; i < count; i++)
        all = LLVMBuildAnd(t->g.e.b, all, v[i], "");
    return all;
}

LLVMBasicBlockRef rs_begin_if(rs_kernel *t, LLVMValueRef condition, const char *name) {
    return gen_begin_if(&t->g.e, t->g.function, condition, name, "after");
}
