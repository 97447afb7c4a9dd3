/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the files that look for an order of a kernel's threads share: questions about numbers.
 */
#include "detect/threads/threads.h"

bool threads_refuse(st_refusal *why, const char *detail) {
    return st_refuse(why, ST_NO_KERNEL_ORDER, detail);
}

LLVMValueRef threads_narrow(LLVMValueRef v) {
    while ((LLVMIsAZExtInst(v) || LLVMIsASExtInst(v)) &&
           LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(v, 0))) >= 32)
        v = LLVMGetOperand(v, 0);
    return v;
}

bool threads_poly(kernel_values *values, LLVMValueRef v, poly *out) {
    kernel_query maybe = {values, NULL};
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMIntegerTypeKind &&
           kernel_number(&maybe, br_scev_of(values->f, v), out) && poly_is_known(*out);
}
