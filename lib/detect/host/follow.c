/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Values the time loop carries that the CPU recomputes each step (t += dt, a floating-point sum),
 * and what is computed of them, such as sin(omega * t). Legal where
 *   1. a carried value starts as a value that the time loop does not change, and its next value is
 *      known at the end of a step (after.c), which may use what the step reduced;
 *   2. a sweep's value is computed, in the time loop, of carried values, of step counters, of
 *      values that do not change, and of what sweeps before it reduced in the step.
 */
#include "detect/common/calls.h"
#include "detect/common/flow.h"
#include "detect/host/after.h"
#include "detect/host/region.h"

#include <string.h>

enum { MAX_VISITS = 60 };

bool host_check_carried(host_steps *s) {
    for (int i = 0; i < s->carried->count; i++)
        if (!host_known_after_step(s, host_carried_value(s, i, true)))
            return false;
    return true;
}

/* Is v a call of a function whose result has other bits on a GPU, or that may set errno? */
static bool is_inexact(LLVMValueRef v) {
    size_t length;
    if (!LLVMIsACallInst(v))
        return false;
    const char *name = LLVMGetValueName2(LLVMGetCalledValue(v), &length);
    if (host_sets_errno(name))
        return true;
    for (int op = 0; op < ST_OP_COUNT; op++) {
        const char *i = st_ops[op].cls == ST_MATH ? st_ops[op].intrinsic : NULL;
        if (i && !strncmp(name, i, strlen(i)) && name[strlen(i)] == '.')
            return true;
    }
    return false;
}

typedef struct search {
    const host_steps *s;
    int number; /* the sweep's */
    int visits;
    bool needed; /* a GPU could not compute the value */
    bool late;   /* the value depends on what the step reduced */
} search;

/* Has a sweep before this one reduced it? */
static bool is_reduced_before(search *m, LLVMValueRef v) {
    int ignored;
    const host_region *r = host_reduced(m->s, v, &ignored);
    bool before = r && r->number < m->number;
    m->late |= before;
    m->needed |= before;
    return before;
}

/* Is the value there before the sweep is made? */
static bool is_known_before(search *m, LLVMValueRef v) {
    st_type type;
    v = host_settled(m->s, v);
    if (++m->visits > MAX_VISITS || !host_type(LLVMTypeOf(v), &type))
        return false;
    if (!LLVMIsAInstruction(v) || !host_in_loop(m->s->time, v) || host_is_counter(m->s, v))
        return true;
    if (host_carry(m->s, v))
        return m->needed = true;
    if (is_reduced_before(m, v))
        return true;
    if (!host_is_pure(m->s, v))
        return false;
    m->needed |= is_inexact(v);
    int count = LLVMIsACallInst(v) ? (int)LLVMGetNumArgOperands(v) : LLVMGetNumOperands(v);
    bool all = true;
    for (int i = 0; i < count && all; i++)
        all = is_known_before(m, LLVMGetOperand(v, (unsigned)i));
    return all;
}

/* Is it a floating-point number of the step that is known before the sweep? If so, what it is
 * computed of stays noted; for a number that a GPU could compute only if `any`. */
static bool find_known(const host_region *r, LLVMValueRef v, bool any, search *m) {
    st_type type;
    *m = (search){.s = r->steps, .number = r->number};
    if (!r->steps || !LLVMIsAInstruction(v) || !host_type(LLVMTypeOf(v), &type) ||
        !st_type_is_float(type) || (r->axes > 0 && host_in_loop(r->loops[r->axes - 1], v)))
        return false;
    int before = r->steps->carried->count, calls = r->steps->carried->ncalls;
    bool known = is_known_before(m, v) && (any || m->needed);
    if (!known) {
        r->steps->carried->count = before;
        r->steps->carried->ncalls = calls;
    }
    return known;
}

bool host_follows(const host_region *r, LLVMValueRef v, bool *late) {
    search m;
    bool follows = find_known(r, v, false, &m);
    if (follows)
        r->steps->carried->follows = true;
    *late = m.late;
    return follows;
}

bool host_is_known_in_step(const host_region *r, LLVMValueRef v) {
    search m;
    return find_known(r, v, true, &m);
}
