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

LLVMValueRef rs_all(rs_kernel *t, LLVMValueRef const *v, int count) {
    LLVMValueRef all = v[0];
    for (int i = 1; i < count; i++)
        all = LLVMBuildAnd(t->g.e.b, all, v[i], "");
    return all;
}

LLVMBasicBlockRef rs_begin_if(rs_kernel *t, LLVMValueRef condition, const char *name) {
    return gen_begin_if(&t->g.e, t->g.function, condition, name, "after");
}
