/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A sweep in a function that is not inlined is offloaded by itself, and its arrays are copied in
 * each call. Where a loop makes the calls, a remark there says so.
 */
#include "passes.h"

#include "host.h"

#include <stdio.h>

static void remark_call(LLVMValueRef call, LLVMValueRef callee, void *analyses) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(call);
    br_function *f = br_function_open(LLVMGetBasicBlockParent(block), analyses);
    br_loop l = br_loop_of(f, block);
    char sentence[800], text[900];
    if (l) {
        st_reason_text(ST_NO_NOT_INLINED, host_value_name(callee), sentence, sizeof sentence);
        snprintf(text, sizeof text, "time loop not offloaded: %s", sentence);
        br_remark(f, l, BR_MISSED, "stencil", st_reason_name(ST_NO_NOT_INLINED), text);
    }
    br_function_close(f);
}

void pass_remark_calls(LLVMValueRef sweep, void *analyses) {
    for (LLVMUseRef u = LLVMGetFirstUse(sweep); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        bool calls = LLVMIsACallInst(user) || LLVMIsAInvokeInst(user);
        if (calls && LLVMGetCalledValue(user) == sweep)
            remark_call(user, sweep, analyses);
    }
}
