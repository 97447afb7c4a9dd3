/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The order of the sweeps of a time step, and of loads and stores beside them.
 */
#include "detect/host/order.h"
#include "detect/common/flow.h"
#include "detect/host/region.h"

/* Where a sweep starts, or what comes before it: an instruction. */
LLVMValueRef host_start_of(const host_region *r) {
    if (r->axes == 0)
        return r->store;
    return LLVMGetFirstInstruction(br_loop_header(r->loops[r->axes - 1]));
}

bool host_is_before(br_loop l, LLVMValueRef a, LLVMValueRef b) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(a);
    if (block != LLVMGetInstructionParent(b))
        return host_comes_before(l, block, LLVMGetInstructionParent(b));
    return br_earlier_in_block(a, b);
}

static bool nest_contains(const host_region *r, LLVMValueRef v) {
    return r->axes > 0 && host_in_loop(r->loops[r->axes - 1], v);
}

bool host_load_is_timely(const host_region *r, LLVMValueRef load) {
    const host_steps *s = r->steps;
    if (nest_contains(r, load))
        return true;
    for (int i = 0; i < s->count; i++) {
        const host_region *other = s->sweeps[i];
        if (i != r->number && nest_contains(other, load))
            return false;
        if (i < r->number && !host_is_before(s->time, host_start_of(other), load))
            return false;
    }
    return true;
}

bool host_comes_after(const host_region *r, LLVMValueRef a, LLVMValueRef b) {
    return host_is_before(r->axes > 0 ? r->loops[0] : r->time, b, a);
}

bool host_is_stored(const host_steps *s, LLVMValueRef i) {
    for (int k = 0; k < s->nskipped; k++)
        if (s->skipped[k] == i)
            return true;
    for (int k = 0; k < s->count; k++) {
        if (s->sweeps[k]->store == i)
            return true;
        for (int n = 0; n < s->sweeps[k]->nalso; n++)
            if (s->sweeps[k]->also[n] == i)
                return true;
    }
    return false;
}
