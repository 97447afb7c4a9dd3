/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which of a nest's loads and stores run in every iteration that writes a cell, and which loads
 * have an address that changes in the nest.
 */
#include "detect/host/loads.h"
#include "detect/host/region.h"

bool host_is_masked(const host_region *r, int i) {
    LLVMValueRef store = i > 0 ? r->also[i - 1] : r->store;
    if (r->form)
        return !r->form->always(r->form->context, LLVMGetInstructionParent(store));
    return r->steps && r->axes > 0 && !r->copies && !r->measures && !r->partial &&
           !br_dominates(r->f, LLVMGetInstructionParent(store), br_loop_latch(r->loops[0]));
}

/* Is it read in every iteration that writes a cell? One of several sweeps' may be a loop that does
 * so under a condition. */
bool host_is_always_read(const host_region *r, LLVMValueRef load) {
    LLVMBasicBlockRef end = LLVMGetInstructionParent(r->store);
    if (r->steps && r->axes > 0 && !r->partial)
        end = br_loop_latch(r->loops[0]);
    return br_dominates(r->f, LLVMGetInstructionParent(load), end);
}

/* With several sweeps, the place where a pointer is read may also change from step to step. */
bool host_moves(const host_region *r, LLVMValueRef load) {
    br_scev address = br_scev_of(r->f, LLVMGetOperand(load, 0));
    bool steps = r->steps && LLVMGetTypeKind(LLVMTypeOf(load)) == LLVMPointerTypeKind;
    return (r->axes > 0 || steps) && !r->form &&
           !br_scev_invariant(r->f, address, steps ? r->time : r->loops[r->axes - 1]);
}
