/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What makes another order of a kernel's threads legal: they run each on its own, and read nothing
 * that another one writes.
 */
#include "detect/threads/threads.h"

#include <string.h>

/* A function may read the thread's number; LLVM says of such a one, too, that it accesses no
 * memory. Intrinsics that do are looked at where their results are used. */
static bool check_call(kernel_region *k, LLVMValueRef i) {
    LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    if (!callee || LLVMGetIntrinsicID(callee))
        return true;
    const tg_target *t = tg_of_module(LLVMGetGlobalParent(k->region.function));
    return (LLVMIsDeclaration(callee) && tg_known(t, host_callee_name(i))) ||
           threads_refuse(k, "it calls a function that may ask for thread numbers");
}

static LLVMValueRef array_of(LLVMValueRef pointer) {
    while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsAAddrSpaceCastInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return pointer;
}

static bool same_place(kernel_region *k, LLVMValueRef a, LLVMValueRef b) {
    poly x, y;
    br_function *f = k->region.f;
    bool same = a == b || (kernel_poly(k, br_scev_of(f, a), &x) &&
                           kernel_poly(k, br_scev_of(f, b), &y) && poly_equal(x, y));
    k->region.reason = ST_OK;
    k->region.detail[0] = 0;
    return same;
}

/* Reads of an array that is written are only of the thread's own element. */
static bool check_loads(kernel_region *k, LLVMValueRef store) {
    LLVMValueRef to = LLVMIsAStoreInst(store) ? LLVMGetOperand(store, 1) : NULL;
    LLVMBasicBlockRef b = to ? LLVMGetFirstBasicBlock(k->region.function) : NULL;
    if (to && LLVMIsAAllocaInst(array_of(to)))
        return true;
    for (; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef from = LLVMIsALoadInst(i) ? LLVMGetOperand(i, 0) : NULL;
            if (from && array_of(from) == array_of(to) && !same_place(k, from, to))
                return kernel_refuse(k, ST_NO_KERNEL_IN_PLACE, NULL);
        }
    return true;
}

static bool find_blocks(kernel_region *k, threads_form *out) {
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->region.function);
    unsigned seen = 0;
    for (; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            int dim;
            if (kernel_role_of(i, &dim) != KERNEL_BLOCK)
                continue;
            if (!threads_add(&out->blocks, i))
                return threads_refuse(k, "its block numbers are read in too many places");
            out->dims[out->blocks.count - 1] = dim;
            seen |= 1u << dim;
        }
    out->ndims = seen & 4 ? 3 : 2;
    return (seen & (seen - 1)) != 0 ||
           threads_refuse(k, "nothing in it tells rows apart: it neither divides a flat index nor "
                             "has blocks along two dimensions");
}

bool threads_find(kernel_region *k, threads_form *out) {
    memset(out, 0, sizeof *out);
    k->region.reason = ST_OK; /* that it is no stencil says nothing of its threads */
    k->region.detail[0] = 0;
    if (!kernel_check_alone(k) || !kernel_check_each(k, check_call) ||
        !kernel_check_each(k, check_loads))
        return false;
    out->is_flat = threads_find_flat(k, &out->flat);
    if (out->is_flat)
        return true;
    st_reason reason = k->region.reason;
    char detail[HOST_DETAIL];
    memcpy(detail, k->region.detail, sizeof detail);
    if (find_blocks(k, out)) {
        k->region.reason = ST_OK;
        return true;
    }
    /* Why the flat index, if there is one, is of no use, says more. */
    return reason == ST_OK ? false : kernel_refuse(k, reason, detail);
}
