/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Numbers that change from step to step in a way of their own: the time, t += dt, as a
 * floating-point sum, and what is computed of it, as sin(omega * t). The CPU computes them, for
 * each step, as the program does. Legal where
 *   1. such a number starts as one that the time loop does not change, and its next value is known
 *      at the end of a step (reduce.c), which may make it depend on what the step reduced;
 *   2. what a sweep gets is computed, in the time loop, of these, of step counters and of what does
 *      not change.
 */
#include "detect/host/host.h"

#include <string.h>

enum { MAX_VISITS = 60 };

static int number_of(const host_carried *c, LLVMValueRef v) {
    int i = 0;
    while (i < c->count && c->phi[i] != v)
        i++;
    return i;
}

LLVMValueRef host_carried_value(const host_steps *s, int number, bool next) {
    LLVMValueRef phi = s->carried->phi[number];
    bool first = LLVMGetIncomingBlock(phi, 0) == br_loop_latch(s->time);
    return LLVMGetIncomingValue(phi, first == next ? 0 : 1);
}

bool host_is_carried(const host_steps *s, LLVMValueRef v, int *number) {
    *number = number_of(s->carried, v);
    return *number < s->carried->count;
}

/* Whether its next value is known, is asked when all sweeps have been looked at. */
bool host_carry(const host_steps *s, LLVMValueRef v) {
    st_type type;
    host_carried *c = s->carried;
    if (number_of(c, v) < c->count)
        return true;
    if (!LLVMIsAPHINode(v) || LLVMGetInstructionParent(v) != br_loop_header(s->time) ||
        !host_type(LLVMTypeOf(v), &type) || !st_type_is_float(type) || LLVMCountIncoming(v) != 2 ||
        !br_loop_latch(s->time) || c->count == HOST_MAX_CARRIED)
        return false;
    c->phi[c->count++] = v;
    return true;
}

bool host_check_carried(host_steps *s) {
    for (int i = 0; i < s->carried->count; i++)
        if (!host_known_after_step(s, host_carried_value(s, i, true)))
            return false;
    return true;
}

/* A function that GPUs compute with other bits. */
static bool is_inexact(LLVMValueRef v) {
    size_t length;
    if (!LLVMIsACallInst(v))
        return false;
    const char *name = LLVMGetValueName2(LLVMGetCalledValue(v), &length);
    for (int op = 0; op < ST_OP_COUNT; op++) {
        const char *i = st_ops[op].cls == ST_MATH ? st_ops[op].intrinsic : NULL;
        if (i && !strncmp(name, i, strlen(i)) && name[strlen(i)] == '.')
            return true;
    }
    return false;
}

typedef struct search {
    const host_steps *s;
    int visits;
    bool needed; /* a GPU could not compute it */
} search;

/* Is the value there before the step's sweeps are made? */
static bool is_known_before(search *m, LLVMValueRef v) {
    st_type type;
    int ignored;
    v = host_settled(m->s, v);
    if (++m->visits > MAX_VISITS || !host_type(LLVMTypeOf(v), &type))
        return false;
    if (!LLVMIsAInstruction(v) || !host_in_loop(m->s->time, v) || host_is_counter(m->s, v))
        return true;
    if (host_carry(m->s, v))
        return m->needed = true;
    if (host_reduced(m->s, v, &ignored) || !host_is_pure(m->s, v))
        return false;
    m->needed |= is_inexact(v);
    int count = LLVMIsACallInst(v) ? (int)LLVMGetNumArgOperands(v) : LLVMGetNumOperands(v);
    bool all = true;
    for (int i = 0; i < count && all; i++)
        all = is_known_before(m, LLVMGetOperand(v, (unsigned)i));
    return all;
}

bool host_follows(const host_region *r, LLVMValueRef v) {
    search m = {.s = r->steps};
    st_type type;
    if (!r->steps || !LLVMIsAInstruction(v) || !host_type(LLVMTypeOf(v), &type) ||
        !st_type_is_float(type) || (r->axes > 0 && host_in_loop(r->loops[r->axes - 1], v)))
        return false;
    int before = r->steps->carried->count;
    bool follows = is_known_before(&m, v) && m.needed;
    if (!follows)
        r->steps->carried->count = before;
    r->steps->carried->follows |= follows;
    return follows;
}
