/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the CPU knows at the end of a time step: reductions, values that do not change in the time
 * loop, counters, which change by the same amount in each step, values that the time loop carries
 * from step to step (t += dt), and what is computed of these.
 */
#include "detect/host/after.h"
#include "detect/common/calls.h"
#include "detect/common/flow.h"
#include "detect/common/limits.h"
#include "detect/host/region.h"

#include <stdio.h>
#include <string.h>

enum { MAX_TAIL = ST_LIMIT(60, 3) }; /* instructions that a value after a step is computed of */

/* Values at joins */

static bool is_nest_head(const host_region *r, LLVMBasicBlockRef block) {
    bool head = false;
    for (int i = 0; i < r->axes; i++)
        head |= block == br_loop_header(r->loops[i]);
    return head;
}

/* Does the head of a nest's loop hand the value on unchanged? LLVM puts such phis where one nest
 * ends and the next begins in the same block. */
static bool is_handed_on(LLVMValueRef phi) {
    bool itself = false;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        itself |= LLVMGetIncomingValue(phi, i) == phi;
    return itself;
}

/* The value that a phi has from the one edge that is taken where the sweep runs; or NULL. */
static LLVMValueRef only_incoming(const host_region *r, LLVMValueRef phi) {
    LLVMValueRef only = NULL;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        LLVMValueRef v = LLVMGetIncomingValue(phi, i);
        if (v == phi || !host_edge_taken(r->steps->time, r->guards, r->nguards, from,
                                         LLVMGetInstructionParent(phi)))
            continue;
        if (only && only != v)
            return NULL;
        only = v;
    }
    return only;
}

/* What the value is where the sweep runs: through phis that join branches or leave loops. */
LLVMValueRef host_settled_in(const host_region *r, LLVMValueRef v) {
    while (LLVMIsAPHINode(v) && host_in_loop(r->steps->time, v) &&
           LLVMGetInstructionParent(v) != br_loop_header(r->steps->time) &&
           (!is_nest_head(r, LLVMGetInstructionParent(v)) || is_handed_on(v))) {
        LLVMValueRef only = only_incoming(r, v);
        if (!only)
            break;
        v = only;
    }
    return v;
}

LLVMValueRef host_settled(const host_steps *s, LLVMValueRef v) {
    LLVMValueRef before = NULL;
    while (before != v) {
        before = v;
        for (int i = 0; i < s->count; i++)
            v = host_settled_in(s->sweeps[i], v);
    }
    return v;
}

/* Values that the time loop carries */

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

/* Whether the number's next value is known is asked when all sweeps have been looked at. */
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

/* The end of a step */

const host_region *host_reduced(const host_steps *s, LLVMValueRef v, int *number) {
    for (int i = 0; i < s->count; i++)
        for (int k = 0; k < s->sweeps[i]->nreductions; k++)
            if (s->sweeps[i]->reductions[k].last == v) {
                *number = k;
                return s->sweeps[i];
            }
    return NULL;
}

bool host_is_counter(const host_steps *s, LLVMValueRef v) {
    st_type type;
    if (!LLVMIsAPHINode(v) || LLVMGetInstructionParent(v) != br_loop_header(s->time) ||
        !host_type(LLVMTypeOf(v), &type) || st_type_is_float(type) || type == ST_I1)
        return false;
    br_scev e = br_scev_of(s->f, v);
    if (br_scev_kind(e) != BR_ADDREC || br_scev_loop(e) != s->time || br_scev_count(e) != 2)
        return false;
    br_scev step = br_scev_operand(e, 1);
    int64_t literal;
    return br_scev_int(step, &literal) ||
           (br_scev_kind(step) == BR_UNKNOWN && !host_in_loop(s->time, br_scev_value(step)));
}

static bool in_nest(const host_steps *s, LLVMValueRef v) {
    for (int i = 0; i < s->count; i++)
        if (s->sweeps[i]->axes > 0 && host_in_loop(s->sweeps[i]->loops[s->sweeps[i]->axes - 1], v))
            return true;
    return false;
}

/* A division may trap where the program does not come to it, unless its divisor is a constant above
 * 0. */
static bool may_trap(LLVMValueRef v) {
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    if (op != LLVMUDiv && op != LLVMSDiv && op != LLVMURem && op != LLVMSRem)
        return false;
    LLVMValueRef divisor = LLVMGetOperand(v, 1);
    return !LLVMIsAConstantInt(divisor) || LLVMConstIntGetSExtValue(divisor) <= 0;
}

/* Computed of its operands alone, here as anywhere? */
static bool is_pure(LLVMValueRef v) {
    size_t length;
    if (may_trap(v))
        return false;
    if (LLVMIsACallInst(v)) {
        LLVMValueRef callee = LLVMGetCalledValue(v);
        const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
        return host_is_operation(name);
    }
    return LLVMIsABinaryOperator(v) || LLVMIsAUnaryOperator(v) || LLVMIsACmpInst(v) ||
           LLVMIsASelectInst(v) || LLVMIsACastInst(v) || LLVMIsAFreezeInst(v);
}

static bool takes_floats(LLVMValueRef call) {
    st_type type;
    bool all = host_type(LLVMTypeOf(call), &type) && st_type_is_float(type);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        all =
            all && host_type(LLVMTypeOf(LLVMGetOperand(call, i)), &type) && st_type_is_float(type);
    return all;
}

bool host_is_left_to_cpu(const host_steps *s, LLVMValueRef call) {
    LLVMValueRef callee = LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
    LLVMBasicBlockRef block = LLVMGetInstructionParent(call), latch = br_loop_latch(s->time);
    if (!callee || !LLVMIsAFunction(callee) || !LLVMIsDeclaration(callee) ||
        !host_sets_errno(host_callee_name(call)) || !takes_floats(call) ||
        LLVMGetNumOperandBundles(call) || host_may_be_another(call) || in_nest(s, call) || !latch ||
        !br_dominates(s->f, block, latch))
        return false;
    bool first = true;
    for (int i = 0; i < s->nexits; i++)
        first = first && br_dominates(s->f, block, s->exiting[i]);
    return first;
}

/* Counts it among the calls that the CPU makes. False: there are too many. */
static bool note_call(host_carried *c, LLVMValueRef call) {
    int i = 0;
    while (i < c->ncalls && c->calls[i] != call)
        i++;
    if (i == HOST_MAX_CALLS)
        return false;
    c->calls[i] = call;
    c->ncalls += i == c->ncalls;
    return true;
}

LLVMValueRef host_call_left_out(const host_steps *s) {
    LLVMBasicBlockRef block;
    for (size_t b = 0; (block = br_loop_block(s->time, b)); b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            int k = 0;
            while (k < s->carried->ncalls && s->carried->calls[k] != i)
                k++;
            if (k == s->carried->ncalls && host_is_left_to_cpu(s, i))
                return i;
        }
    return NULL;
}

bool host_is_pure(const host_steps *s, LLVMValueRef v) {
    if (host_is_left_to_cpu(s, v))
        return note_call(s->carried, v);
    return !in_nest(s, v) && is_pure(v);
}

typedef struct known_search {
    const host_steps *s;
    int visited;
    bool carries; /* the value depends on numbers that the time loop carries */
} known_search;

static bool known(known_search *k, LLVMValueRef v) {
    const host_steps *s = k->s;
    st_type type;
    int number;
    v = host_settled(s, v);
    if (++k->visited > MAX_TAIL)
        return false;
    if (!LLVMIsAInstruction(v) || !host_in_loop(s->time, v))
        return LLVMIsConstant(v) || host_type(LLVMTypeOf(v), &type);
    if (host_reduced(s, v, &number) || host_is_counter(s, v))
        return true;
    if (host_carry(s, v))
        return k->carries = true;
    if (!host_is_pure(s, v))
        return false;
    int count = LLVMIsACallInst(v) ? (int)LLVMGetNumArgOperands(v) : LLVMGetNumOperands(v);
    bool all = true;
    for (int i = 0; i < count && all; i++)
        all = known(k, LLVMGetOperand(v, (unsigned)i));
    return all;
}

static bool find_known(known_search *k, LLVMValueRef v) {
    host_carried *c = k->s->carried;
    int before = c->count, calls = c->ncalls;
    if (known(k, v))
        return true;
    c->count = before;
    c->ncalls = calls;
    return false;
}

bool host_known_after_step(const host_steps *s, LLVMValueRef v) {
    known_search k = {.s = s};
    return find_known(&k, v);
}

bool host_known_behind(const host_steps *s, LLVMValueRef v) {
    known_search k = {.s = s};
    bool is = find_known(&k, v);
    s->carried->behind |= is && k.carries;
    return is;
}

bool host_is_asked(const host_steps *s) {
    return s->stops || s->carried->follows || s->carried->behind;
}

bool host_is_checked(const host_steps *s) {
    bool reduces = host_is_asked(s);
    for (int i = 0; i < s->count; i++)
        reduces |= s->sweeps[i]->nreductions > 0;
    return reduces;
}
