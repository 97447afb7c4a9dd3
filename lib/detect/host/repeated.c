/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Operations of GPU kernels that the model has no name for: intrinsics of the target, functions of
 * its mathematical library, arithmetic in inline assembly. A kernel's new body has them as the
 * program has them, once a cell. So all that counts is that each is a value of its operands, and
 * that it is defined for all of them: a cell may compute it where the program does not.
 */
#include "detect/common/calls.h"
#include "detect/host/slice.h"
#include "target/uniform.h"

#include <stdlib.h>

/* The call of whose results v is one; or v. */
static LLVMValueRef operation_of(LLVMValueRef v) {
    bool part = LLVMIsAExtractValueInst(v) && LLVMGetNumIndices(v) == 1;
    return part ? LLVMGetOperand(v, 0) : v;
}

static bool may_repeat(LLVMValueRef i) {
    if (LLVMIsACallInst(i))
        return tg_may_repeat(i);
    return LLVMIsAInstruction(i) && LLVMGetInstructionOpcode(i) == LLVMFRem;
}

/* The operands that are no constants. */
static int find_operands(LLVMValueRef i, LLVMValueRef out[SLICE_OPERANDS]) {
    int count = 0;
    for (int k = 0; k < tg_operand_count(i); k++) {
        LLVMValueRef operand = LLVMGetOperand(i, (unsigned)k);
        if (LLVMIsConstant(operand))
            continue;
        if (count == SLICE_OPERANDS)
            return SLICE_OPERANDS + 1;
        out[count++] = operand;
    }
    return count;
}

/* Do both compute the same, of operands in the same places? */
bool host_same_operation(LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef x = operation_of(a), y = operation_of(b);
    bool same = LLVMTypeOf(a) == LLVMTypeOf(b) && (x == a) == (y == b) &&
                LLVMGetInstructionOpcode(x) == LLVMGetInstructionOpcode(y) &&
                tg_operand_count(x) == tg_operand_count(y);
    if (same && x != a)
        same = *LLVMGetIndices(a) == *LLVMGetIndices(b);
    if (same && LLVMIsACallInst(x))
        same = LLVMGetCalledValue(x) == LLVMGetCalledValue(y);
    if (same && LLVMCanValueUseFastMathFlags(x))
        same = LLVMGetFastMathFlags(x) == LLVMGetFastMathFlags(y);
    for (int k = 0; same && k < tg_operand_count(x); k++) {
        LLVMValueRef p = LLVMGetOperand(x, (unsigned)k), q = LLVMGetOperand(y, (unsigned)k);
        same =
            p == q || (!LLVMIsConstant(p) && !LLVMIsConstant(q) && LLVMTypeOf(p) == LLVMTypeOf(q));
    }
    return same;
}

int32_t slice_call_number(slice *b, LLVMValueRef v) {
    char name[sizeof b->s->calls->name];
    host_region *r = b->r;
    for (size_t i = 0; i < b->s->ncalls; i++)
        if (host_same_operation(r->calls[i], v))
            return (int32_t)i;
    host_operation_name(operation_of(v), name, sizeof name);
    int32_t added = st_add_call(b->s, name);
    r->calls = realloc(r->calls, b->s->ncalls * sizeof *r->calls);
    r->calls[added] = v;
    return added;
}

int slice_repeats(slice *b, LLVMValueRef v, LLVMValueRef operand[SLICE_OPERANDS]) {
    LLVMValueRef i = operation_of(v);
    char own[ST_DETAIL];
    int count = may_repeat(i) ? find_operands(i, operand) : 0;
    if (count > 0 && count <= SLICE_OPERANDS)
        return count;
    tg_launch_value value;
    int dim;
    if (tg_reads_launch(i, &value, &dim)) {
        slice_refuse(b, ST_NO_KERNEL_NUMBER, value == TG_THREAD ? "thread's" : "block's");
        return 0;
    }
    host_operation_name(i, own, sizeof own);
    slice_refuse(b, ST_NO_OPERATION, own);
    return 0;
}
