/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Remarks at calls of sweeps. A sweep in a function that is not inlined is offloaded by itself, and
 * its arrays are copied in each call. If a loop makes the calls, the remark says so.
 */
#include "passes.h"

#include "detect/host/host.h"
#include "remark.h"

static void remark_call(LLVMValueRef call, LLVMValueRef callee, void *analyses) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(call);
    br_function *f = br_function_open(LLVMGetBasicBlockParent(block), analyses);
    br_loop l = br_loop_of(f, block);
    if (l) {
        char name[HOST_DETAIL];
        pass_remark r = {0};
        br_source_name(callee, name, sizeof name);
        remark_text(&r, "time loop not offloaded: ");
        remark_reason(&r, ST_NO_NOT_INLINED, name);
        remark_send(&r, f, l, BR_MISSED, st_reason_name(ST_NO_NOT_INLINED), ST_NO_NOT_INLINED);
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
