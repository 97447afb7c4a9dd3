/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the time loop rotates: pointers, and numbers that go with them.
 */
#include "detect/common/affine.h"
#include "detect/common/limits.h"
#include "detect/host/address.h"
#include "detect/host/region.h"
#include "detect/host/resolver.h"
#include "detect/host/rotate.h"

#include <stdlib.h>

const host_ring *host_ring_of(const host_region *r, LLVMValueRef v, int *at) {
    for (int k = 0; k < r->nrings; k++)
        for (int i = 0; i < r->rings[k].length; i++)
            if (r->rings[k].phi[i] == v) {
                *at = i;
                return &r->rings[k];
            }
    return NULL;
}

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
static bool rotated_number(const host_query *q, LLVMValueRef v, host_affine *out) {
    host_region *r = q->r;
    host_query first = *q;
    host_ring ring;
    if (!r->nrings || !LLVMIsAPHINode(v) || LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind ||
        !follow_ring(r, v, &ring))
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
    first.step = 0;
    return host_evaluate(&first, br_scev_of(r->f, ring.start[0]), out);
}

/* Adds another ring of pointers, if the phi is in one that turns in step with those before. */
static void add_ring(host_region *r, LLVMValueRef first) {
    host_ring ring;
    if (!follow_ring(r, first, &ring))
        return;
    int whole = r->nrings > 0 && r->period > ring.length ? r->period : ring.length;
    bool in_step = r->nrings == 0 || (whole % r->period == 0 && whole % ring.length == 0);
    if (!in_step || r->nrings == HOST_MAX_RINGS)
        return;
    r->rings = realloc(r->rings, ((size_t)r->nrings + 1) * sizeof *r->rings);
    r->rings[r->nrings++] = ring;
    r->period = whole;
}

static void find_pointers(host_region *r) {
    int ignored;
    LLVMValueRef i = LLVMGetFirstInstruction(br_loop_header(r->time));
    r->nrings = 0;
    for (; i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
        if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMPointerTypeKind && !host_ring_of(r, i, &ignored))
            add_ring(r, i);
}

host_answer host_ring_value(void *region, const host_query *q, LLVMValueRef v, host_affine *out) {
    host_region *r = region;
    int at;
    if (rotated_number(q, v, out))
        return HOST_KNOWN;
    const host_ring *ring = host_ring_of(r, v, &at);
    if (!ring)
        return HOST_UNKNOWN;
    for (int l = 0; l < HOST_MAX_LOOPS; l++)
        out->step[l] = NULL;
    out->base = poly_atom(r->f, br_scev_of(r->f, ring->start[(at + q->step) % ring->length]));
    return HOST_KNOWN;
}

/* A pointer of a ring, or a number that is the same in every step. */
bool host_rotates(const host_region *r, LLVMValueRef v) {
    int ignored;
    bool found = host_ring_of(r, v, &ignored) != NULL;
    for (int k = 0; k < r->nnumbers; k++)
        for (int i = 0; i < r->numbers[k].length; i++)
            found |= r->numbers[k].phi[i] == v;
    return found;
}

void host_find_rings(host_region *r) {
    r->nrings = 0;
    r->period = r->time && !r->twin ? 2 : 1; /* one of two sweeps always has the same part */
    if (!r->time || r->twin)
        return;
    find_pointers(r);
    if (r->nrings)
        return;
    if (host_has_turn(r))
        r->period = HOST_TURN;
    else if (host_toggle_period(r))
        r->period = host_toggle_period(r);
}
