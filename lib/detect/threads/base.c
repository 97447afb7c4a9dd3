/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the files that look for an order of a kernel's threads share: questions about numbers.
 */
#include "detect/threads/threads.h"

bool threads_refuse(kernel_region *k, const char *detail) {
    return kernel_refuse(k, ST_NO_KERNEL_ORDER, detail);
}

LLVMValueRef threads_narrow(LLVMValueRef v) {
    while ((LLVMIsAZExtInst(v) || LLVMIsASExtInst(v)) &&
           LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(v, 0))) >= 32)
        v = LLVMGetOperand(v, 0);
    return v;
}

bool threads_poly(kernel_region *k, LLVMValueRef v, poly *out) {
    if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind)
        return false;
    bool good = kernel_number(k, br_scev_of(k->region.f, v), out) && poly_is_known(*out);
    k->region.reason = ST_OK;
    k->region.detail[0] = 0;
    k->nnarrow = 0;
    return good;
}
