/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Values that are used behind the loops, as they are after the runtime made all steps: rotated
 * pointers, numbers that the time loop carries, counters. And the exit by which the loops are left.
 */
#include "offload/exits.h"

#include "offload/tail.h"

/* Modulo a period: the number of the last step (steps - 1). If the loop tests at its head, that
 * test comes once more, so the number is that of the step after. */
static LLVMValueRef last_turn(const rewriter *w, int period) {
    LLVMValueRef last = w->steps;
    if (!host_tests_first(w->r->time))
        last = LLVMBuildSub(w->b, w->steps, emit_int(w, 1), "");
    return LLVMBuildURem(w->b, last, emit_int(w, period), "");
}

/* A rotating pointer after the last step: ring[(i + last) mod length]. */
static LLVMValueRef last_rotated(const rewriter *w, const host_ring *ring, int i) {
    LLVMValueRef turn = last_turn(w, ring->length);
    LLVMValueRef v = ring->start[i];
    for (int k = 1; k < ring->length; k++) {
        LLVMValueRef here = LLVMBuildICmp(w->b, LLVMIntEQ, turn, emit_int(w, k), "");
        v = LLVMBuildSelect(w->b, here, ring->start[(i + k) % ring->length], v, "");
    }
    return v;
}

/* A number that alternates from step to step, as it is after the last step. */
static LLVMValueRef last_toggled(const rewriter *w, LLVMValueRef v) {
    int period = w->r->period;
    LLVMTypeRef type = LLVMTypeOf(v);
    LLVMValueRef turn = last_turn(w, period), all = NULL;
    for (int k = 0; k < period; k++) {
        int64_t value = 0;
        host_toggle(w->r, v, k, &value);
        LLVMValueRef here = LLVMBuildICmp(w->b, LLVMIntEQ, turn, emit_int(w, k), "");
        LLVMValueRef literal = LLVMConstInt(type, (unsigned long long)value, true);
        all = all ? LLVMBuildSelect(w->b, here, literal, all, "") : literal;
    }
    return all;
}

/* The value behind phis of one entry, which LCSSA form puts behind inner loops. */
static LLVMValueRef source_of(const host_region *r, LLVMValueRef v) {
    while (LLVMIsAPHINode(v) && host_in_loop(r->outer, v) && LLVMCountIncoming(v) == 1)
        v = LLVMGetIncomingValue(v, 0);
    return v;
}

/* Is the value known only after the runtime ran the loops? */
static bool is_late(const rewriter *w, LLVMValueRef v) {
    int64_t number;
    return tail_is_checked(w) && host_in_loop(w->r->outer, v) &&
           (host_rotates(w->r, v) || host_toggle(w->r, v, 0, &number) ||
            host_known_after_step(w->r->steps, v));
}

/* Can the value that `v` has after the loops be computed, before the loops or after the runtime's
 * call? */
static bool is_known_after(const rewriter *w, LLVMValueRef v) {
    const host_region *r = w->r;
    v = source_of(r, v);
    int64_t number;
    if (!host_in_loop(r->outer, v) || host_rotates(r, v) || host_toggle(r, v, 0, &number) ||
        is_late(w, v))
        return true;
    br_scev s = br_scev_at_exit(r->f, v, r->outer);
    return s && br_scev_invariant(r->f, s, r->outer) && br_scev_expandable(r->f, s, w->before);
}

static LLVMValueRef value_after(const rewriter *w, LLVMValueRef v) {
    host_region *r = w->r;
    v = source_of(r, v);
    if (!host_in_loop(r->outer, v))
        return v;
    int at;
    const host_ring *ring = host_ring_of(r, v, &at);
    if (ring)
        return last_rotated(w, ring, at);
    for (int k = 0; k < r->nnumbers; k++)
        for (int i = 0; i < r->numbers[k].length; i++)
            if (r->numbers[k].phi[i] == v)
                return r->numbers[k].start[0]; /* all of them are equal */
    int64_t value;
    if (host_toggle(r, v, 0, &value))
        return last_toggled(w, v);
    br_scev s = br_scev_at_exit(r->f, v, r->outer);
    return br_scev_expand(r->f, s, LLVMTypeOf(v), w->before);
}

LLVMValueRef emit_incoming(LLVMValueRef phi, LLVMBasicBlockRef block) {
    unsigned i = 0;
    while (LLVMGetIncomingBlock(phi, i) != block)
        i++;
    return LLVMGetIncomingValue(phi, i);
}

static int count_exits(const rewriter *w) {
    return tail_is_checked(w) && w->r->steps->stops ? w->r->steps->nexits : 1;
}

static LLVMBasicBlockRef exiting_block(const rewriter *w, int exit) {
    LLVMBasicBlockRef only = br_loop_exiting_block(w->r->outer);
    bool several = (tail_is_checked(w) && w->r->steps->stops) || (!only && w->r->steps);
    return several ? w->r->steps->exiting[exit] : only;
}

/* The block to which an exit leads. */
LLVMBasicBlockRef exits_block(const rewriter *w, int exit) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(exiting_block(w, exit));
    unsigned i = 0;
    while (br_loop_contains(w->r->outer, LLVMGetSuccessor(end, i)))
        i++;
    return LLVMGetSuccessor(end, i);
}

/* Finds the values used behind the loops. False: there are too many. */
static bool exits_find(const rewriter *w, exits *e) {
    e->count = 0;
    for (int i = 0; i < count_exits(w); i++)
        for (LLVMValueRef phi = LLVMGetFirstInstruction(exits_block(w, i)); LLVMIsAPHINode(phi);
             phi = LLVMGetNextInstruction(phi)) {
            if (e->count == MAX_EXITS)
                return false;
            e->phi[e->count] = phi;
            e->from[e->count++] = exiting_block(w, i);
        }
    return true;
}

bool exits_known(const rewriter *w) {
    exits e;
    bool good = exits_find(w, &e);
    for (unsigned i = 0; good && i < e.count; i++)
        good = is_known_after(w, emit_incoming(e.phi[i], e.from[i]));
    return good;
}

void exits_compute(const rewriter *w, exits *e) {
    exits_find(w, e);
    for (unsigned i = 0; i < e->count; i++) {
        LLVMValueRef v = source_of(w->r, emit_incoming(e->phi[i], e->from[i]));
        e->value[i] = is_late(w, v) ? NULL : value_after(w, v);
    }
}

/* The code for this exit, after the runtime ran the loops: the values that the loops would have
 * left. Ends the block. */
static void leave_late(const rewriter *w, const exits *e, int exit, LLVMValueRef check) {
    LLVMBasicBlockRef here = LLVMGetInsertBlock(w->b);
    for (unsigned i = 0; i < e->count; i++) {
        LLVMValueRef v = e->value[i];
        if (e->from[i] != exiting_block(w, exit))
            continue;
        if (!v) {
            v = source_of(w->r, emit_incoming(e->phi[i], e->from[i]));
            v = host_known_after_step(w->r->steps, v) ? tail_value(w, check, v) : value_after(w, v);
        }
        LLVMAddIncoming(e->phi[i], &v, &here, 1);
    }
    LLVMBuildBr(w->b, exits_block(w, exit));
}

/* Begins in the builder's block, and ends it. */
void exits_leave(rewriter *w, const exits *e, LLVMValueRef check) {
    LLVMBasicBlockRef header = br_loop_header(w->r->outer), first = NULL;
    LLVMBuilderRef b = w->b;
    int count = count_exits(w);
    w->steps = tail_done(w, check);
    LLVMValueRef exit = tail_exit(w, check), jump = NULL;
    for (int i = 0; i < count; i++) {
        LLVMBasicBlockRef block = LLVMInsertBasicBlockInContext(w->c, header, "stencil.leave");
        if (!first) {
            first = block;
            jump = LLVMBuildSwitch(b, exit, first, (unsigned)count);
        } else {
            LLVMAddCase(jump, emit_int(w, i + 1), block);
        }
        LLVMPositionBuilderAtEnd(b, block);
        leave_late(w, e, i, check);
    }
}
