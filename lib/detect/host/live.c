/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Values that are used after the region. Each must be one that can be given without running the
 * loops: a rotated pointer, a number that comes round, the final value of a counter, or what is
 * known after a time step.
 */
#include "detect/common/calls.h"
#include "detect/common/flow.h"
#include "detect/common/limits.h"
#include "detect/host/after.h"
#include "detect/host/nest.h"
#include "detect/host/region.h"
#include "detect/host/rotate.h"

/* Does the value only go, behind the region, to a variable that the function does not own? */
static bool is_assigned(LLVMValueRef user, LLVMValueRef v) {
    for (int depth = 0; LLVMIsAPHINode(user) && depth < 4; depth++) {
        LLVMUseRef u = LLVMGetFirstUse(user);
        if (!u || LLVMGetNextUse(u))
            return false;
        v = user;
        user = LLVMGetUser(u);
    }
    return LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == v &&
           host_is_variable(LLVMGetOperand(user, 1));
}

/* A value used after the region must be one that is known without running the region. */
static bool check_live_out(host_region *r, LLVMValueRef v) {
    char name[HOST_DETAIL];
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        if (host_in_loop(r->outer, LLVMGetUser(u)))
            continue;
        if (host_rotates(r, v))
            return true;
        int64_t number;
        if (host_toggle(r, v, 0, &number))
            return true;
        if (r->steps && host_is_checked(r->steps) && host_known_behind(r->steps, v))
            return true;
        br_scev at_exit = br_scev_at_exit(r->f, v, r->outer);
        if (at_exit && br_scev_invariant(r->f, at_exit, r->outer))
            return true;
        host_value_name(v, name, sizeof name);
        return host_refuse(r, ST_NO_LIVE_OUT,
                           is_assigned(LLVMGetUser(u), v) ? HOST_ASSIGNS_VARIABLE : name);
    }
    return true;
}

bool host_check_live_outs(host_region *r) {
    LLVMBasicBlockRef block;
    for (size_t b = 0; (block = br_loop_block(r->outer, b)); b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            if (!check_live_out(r, i))
                return false;
    return true;
}
