/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The order of the sweeps of a time step, and of loads and stores beside them.
 */
#include "detect/host/order.h"

#include "bridge/halves.h"
#include "detect/common/flow.h"
#include "detect/common/limits.h"
#include "detect/host/region.h"

#include <stdlib.h>

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

static LLVMValueRef store_of(const host_region *r, int i) {
    return i ? r->also[i - 1] : r->store;
}

/* Are all assignments of a sweep of single cells made before the load, or to other memory? */
static bool cells_leave(const host_region *r, LLVMValueRef load) {
    bool leave = !r->copies;
    for (int i = 0; i <= r->nalso && leave; i++) {
        LLVMValueRef store = store_of(r, i);
        leave = host_is_before(r->steps->time, store, load) ||
                !br_may_alias(r->f, LLVMGetOperand(load, 0), LLVMGetOperand(store, 1));
    }
    return leave;
}

bool host_load_is_timely(const host_region *r, LLVMValueRef load) {
    const host_steps *s = r->steps;
    if (nest_contains(r, load))
        return true;
    for (int i = 0; i < s->count; i++) {
        const host_region *other = s->sweeps[i];
        if (i != r->number && nest_contains(other, load))
            return false;
        bool cells = other->axes == 0 && s->own_cells && r->axes == 0;
        if (i < r->number && !(cells ? cells_leave(other, load)
                                     : host_is_before(s->time, host_start_of(other), load)))
            return false;
    }
    return true;
}

enum { MAX_BLOCKS = HOST_MAX_OUTER_BLOCKS };

/* In a kernel, whose loops begin other cells: can control get from a to b without going back? */
static bool gets_forward(const host_region *r, LLVMBasicBlockRef a, LLVMBasicBlockRef b) {
    LLVMBasicBlockRef *seen = malloc(MAX_BLOCKS * sizeof *seen);
    int count = 1;
    bool found = false;
    seen[0] = a;
    for (int next = 0; next < count && !found; next++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(seen[next]);
        for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
            LLVMBasicBlockRef to = LLVMGetSuccessor(end, i);
            bool known = br_dominates(r->f, to, seen[next]);
            found |= !known && to == b;
            for (int k = 0; k < count && !known; k++)
                known = seen[k] == to;
            if (!known && count < MAX_BLOCKS)
                seen[count++] = to;
        }
    }
    free(seen);
    return found;
}

bool host_comes_after(const host_region *r, LLVMValueRef a, LLVMValueRef b) {
    LLVMBasicBlockRef from = LLVMGetInstructionParent(b), to = LLVMGetInstructionParent(a);
    if (r->form)
        return from == to ? br_earlier_in_block(b, a) : gets_forward(r, from, to);
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
