/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the time loop rotates: pointers, and numbers that go with them.
 */
#include "host.h"

/* Follows phi -> its value in the next step, until it closes. False if it is no ring. */
static bool follow_ring(const host_region *r, LLVMValueRef first, host_ring *found) {
    LLVMBasicBlockRef header = br_loop_header(r->time), latch = br_loop_latch(r->time);
    host_ring ring = {0, {0}, {0}};
    LLVMValueRef phi = first;
    do {
        if (ring.length == ST_MAX_BUFFERS || !LLVMIsAPHINode(phi) ||
            LLVMGetInstructionParent(phi) != header || LLVMCountIncoming(phi) != 2)
            return false;
        int start = LLVMGetIncomingBlock(phi, 0) == latch ? 1 : 0;
        ring.phi[ring.length] = phi;
        ring.start[ring.length++] = LLVMGetIncomingValue(phi, (unsigned)start);
        phi = LLVMGetIncomingValue(phi, (unsigned)!start);
    } while (phi != first);
    *found = ring;
    return ring.length > 1;
}

static bool in_ring(const host_ring *ring, LLVMValueRef v) {
    bool found = false;
    for (int i = 0; i < ring->length; i++)
        found |= ring->phi[i] == v;
    return found;
}

/* A number that goes round with the pointers, such as the width of either array: they must all be
 * equal when the program runs, and so it is the first of them in every step. */
static bool rotated_number(host_region *r, LLVMValueRef v, host_affine *out) {
    host_ring ring;
    if (!r->ring.length || !LLVMIsAPHINode(v) ||
        LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind || !follow_ring(r, v, &ring))
        return false;
    bool known = false;
    for (int k = 0; k < r->nnumbers && !known; k++) {
        known = in_ring(&r->numbers[k], v);
        ring = known ? r->numbers[k] : ring;
    }
    if (!known && r->nnumbers == HOST_MAX_NUMBERS)
        return false;
    if (!known)
        r->numbers[r->nnumbers++] = ring;
    return host_affine_of(r, br_scev_of(r->f, ring.start[0]), 0, out);
}

void host_find_pointers(host_region *r) {
    LLVMValueRef i = LLVMGetFirstInstruction(br_loop_header(r->time));
    for (; i && LLVMIsAPHINode(i) && !r->ring.length; i = LLVMGetNextInstruction(i))
        if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMPointerTypeKind || !follow_ring(r, i, &r->ring))
            r->ring.length = 0;
}

bool host_rotated(host_region *r, LLVMValueRef v, int step, host_affine *out) {
    if (rotated_number(r, v, out))
        return true;
    for (int i = 0; i < r->ring.length; i++) {
        if (r->ring.phi[i] == v) {
            for (int l = 0; l < HOST_MAX_LOOPS; l++)
                out->step[l] = poly_int(0);
            out->base = poly_atom(br_scev_of(r->f, r->ring.start[(i + step) % r->ring.length]));
            return true;
        }
    }
    return false;
}

/* A pointer of the ring, or a number that is the same in every step. */
bool host_rotates(const host_region *r, LLVMValueRef v) {
    bool found = false;
    for (int i = 0; i < r->ring.length; i++)
        found |= r->ring.phi[i] == v;
    for (int k = 0; k < r->nnumbers; k++)
        for (int i = 0; i < r->numbers[k].length; i++)
            found |= r->numbers[k].phi[i] == v;
    return found;
}
