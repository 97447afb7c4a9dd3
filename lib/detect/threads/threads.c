/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What makes another order of a kernel's threads legal: they run each on its own, and read nothing
 * that another one writes.
 */
#include "detect/threads/threads.h"

#include "detect/common/calls.h"
#include "detect/kernel/effects.h"

#include <string.h>

/* A function may read the thread's number; LLVM says of such a one, too, that it accesses no
 * memory. Intrinsics that do are looked at where their results are used. */
static bool check_call(void *context, LLVMValueRef i, st_refusal *why) {
    const kernel_values *values = context;
    LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    if (!callee || LLVMGetIntrinsicID(callee))
        return true;
    const tg_target *t = tg_of_module(LLVMGetGlobalParent(values->function));
    return (LLVMIsDeclaration(callee) && tg_known(t, host_callee_name(i))) ||
           threads_refuse(why, "it calls a function that may ask for thread numbers");
}

static LLVMValueRef array_of(LLVMValueRef pointer) {
    while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsAAddrSpaceCastInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return pointer;
}

static bool same_place(kernel_values *values, LLVMValueRef a, LLVMValueRef b) {
    poly x, y;
    kernel_query maybe = {values, NULL};
    br_function *f = values->f;
    return a == b || (kernel_poly(&maybe, br_scev_of(f, a), &x) &&
                      kernel_poly(&maybe, br_scev_of(f, b), &y) && poly_equal(x, y));
}

/* Does the kernel read an array that it writes only at the thread's own element? */
static bool check_loads(void *context, LLVMValueRef store, st_refusal *why) {
    kernel_values *values = context;
    LLVMValueRef to = LLVMIsAStoreInst(store) ? LLVMGetOperand(store, 1) : NULL;
    LLVMBasicBlockRef b = to ? LLVMGetFirstBasicBlock(values->function) : NULL;
    if (to && LLVMIsAAllocaInst(array_of(to)))
        return true;
    for (; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef from = LLVMIsALoadInst(i) ? LLVMGetOperand(i, 0) : NULL;
            if (from && array_of(from) == array_of(to) && !same_place(values, from, to))
                return st_refuse(why, ST_NO_KERNEL_IN_PLACE, NULL);
        }
    return true;
}

static bool find_blocks(LLVMValueRef function, st_threads *out, st_refusal *why) {
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function);
    unsigned seen = 0;
    for (; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            int dim;
            if (kernel_role_of(i, &dim) != KERNEL_BLOCK)
                continue;
            if (!st_list_add(&out->blocks, i))
                return threads_refuse(why, "its block numbers are read in too many places");
            out->dims[out->blocks.count - 1] = dim;
            seen |= 1u << dim;
        }
    out->ndims = seen & 4 ? 3 : 2;
    return (seen & (seen - 1)) != 0 ||
           threads_refuse(why,
                          "nothing in it tells rows apart: it neither divides a flat index nor "
                          "has blocks along two dimensions");
}

static bool check_alone(kernel_values *values, st_refusal *why) {
    return kernel_check_alone(values->function, why) &&
           kernel_check_each(values->function, check_call, values, why) &&
           kernel_check_each(values->function, check_loads, values, why);
}

st_refusal threads_find(kernel_values *values, bool in_blocks, st_threads *out) {
    st_refusal flat = {.reason = ST_OK}, blocks = {.reason = ST_OK};
    memset(out, 0, sizeof *out);
    bool alone = check_alone(values, &flat);
    if (!alone && !in_blocks)
        return flat;
    out->is_flat = alone && threads_find_flat(values, &out->flat, &flat);
    if (out->is_flat || find_blocks(values->function, out, &blocks))
        return (st_refusal){.reason = ST_OK};
    /* Why the flat index, if there is one, is of no use, says more. */
    return flat.reason == ST_OK ? blocks : flat;
}
