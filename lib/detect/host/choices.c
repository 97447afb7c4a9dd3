/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Addresses that are chosen by what is computed of cells: a[i - (u > 0)], or a[k] where k is
 * u > 0 ? i - 1 : i, as upwind differences have them. The choice among a few addresses is made one
 * among the values that are loaded there: slice.c assumes that the condition holds, then that it
 * does not. What depends on loop counters alone is a rule at the ends of the loops (ends.h), and is
 * left to that; where it is none, as where a lattice bounces back at walls, it is looked at again
 * as a choice among cells of which one is read.
 */
#include "detect/host/choices.h"
#include "detect/common/calls.h"
#include "detect/common/flow.h"
#include "detect/host/region.h"

#include <string.h>

enum { MAX_VISITS = 200, MAX_OPERANDS = 3 };

void host_assume(host_region *r, int count) {
    r->match.nassumed = count;
    if (r->form)
        r->form->assume(r->form->context, r->match.assumed, r->match.holds, count);
}

host_assumptions host_lift(host_region *r) {
    host_assumptions a = {.count = r->match.nassumed};
    memcpy(a.conditions, r->match.assumed, sizeof a.conditions);
    memcpy(a.holds, r->match.holds, sizeof a.holds);
    host_assume(r, 0);
    return a;
}

void host_restore(host_region *r, const host_assumptions *a) {
    memcpy(r->match.assumed, a->conditions, sizeof a->conditions);
    memcpy(r->match.holds, a->holds, sizeof a->holds);
    host_assume(r, a->count);
}

bool host_assumed(const host_region *r, LLVMValueRef condition, bool *holds) {
    for (int i = 0; i < r->match.nassumed; i++)
        if (r->match.assumed[i] == condition) {
            *holds = r->match.holds[i];
            return true;
        }
    return false;
}

bool host_bit_of(br_scev bit, LLVMValueRef *condition, bool *inverse) {
    *inverse = br_scev_kind(bit) == BR_ADD && br_scev_count(bit) == 2 &&
               br_scev_kind(br_scev_operand(bit, 0)) == BR_CONSTANT;
    br_scev s = *inverse ? br_scev_operand(bit, 1) : bit; /* 1 + x of one bit is its complement */
    *condition = br_scev_kind(s) == BR_UNKNOWN ? br_scev_value(s) : NULL;
    return *condition != NULL;
}

/* Does control come to a block of the innermost loop from this one alone? */
static bool is_only_way(const host_region *r, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
    LLVMBasicBlockRef block;
    for (size_t b = 0; (block = br_loop_block(r->loops[0], b)); b++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        for (unsigned i = 0; block != from && i < LLVMGetNumSuccessors(end); i++)
            if (LLVMGetSuccessor(end, i) == to)
                return false;
    }
    return true;
}

/* Does control that leaves the branch's block this way, and no other, come to the phi from block
 * `from`? */
static bool comes_by(const host_region *r, LLVMValueRef branch, unsigned way, LLVMValueRef phi,
                     LLVMBasicBlockRef from) {
    LLVMBasicBlockRef here = LLVMGetInstructionParent(branch), next = LLVMGetSuccessor(branch, way);
    if (next == LLVMGetInstructionParent(phi))
        return from == here;
    return from != here && LLVMGetSuccessor(branch, !way) != next && is_only_way(r, here, next) &&
           br_dominates(r->f, next, from);
}

static bool joins(const host_region *r, LLVMValueRef branch, LLVMValueRef phi, host_choice *out) {
    LLVMValueRef value[2] = {NULL, NULL};
    for (unsigned i = 0; i < 2; i++)
        for (unsigned way = 0; way < 2; way++)
            if (comes_by(r, branch, way, phi, LLVMGetIncomingBlock(phi, i)))
                value[way] = LLVMGetIncomingValue(phi, i);
    *out = (host_choice){LLVMGetCondition(branch), value[0], value[1]};
    return value[0] && value[1];
}

/* A phi that joins the two ways of a branch. */
static bool is_join(const host_region *r, LLVMValueRef phi, host_choice *out) {
    LLVMBasicBlockRef block;
    bool found = false;
    if (LLVMCountIncoming(phi) != 2 || LLVMGetInstructionParent(phi) == br_loop_header(r->loops[0]))
        return false;
    for (size_t b = 0; (block = br_loop_block(r->loops[0], b)) && !found; b++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        found = br_is_conditional(end) && joins(r, end, phi, out);
    }
    return found;
}

bool host_is_choice(const host_region *r, LLVMValueRef v, host_choice *out) {
    if (r->form || r->axes == 0 || !host_in_loop(r->loops[0], v))
        return false;
    if (LLVMIsAPHINode(v))
        return is_join(r, v, out);
    if (!LLVMIsASelectInst(v))
        return false;
    *out = (host_choice){LLVMGetOperand(v, 0), LLVMGetOperand(v, 1), LLVMGetOperand(v, 2)};
    return true;
}

/* Is v computed from values that the nest loads, or from other numbers than its counters? */
static bool is_of_cells(const host_region *r, LLVMValueRef v, int depth) {
    enum { DEPTH = 8 };
    st_type type;
    if (!LLVMIsAInstruction(v) || !host_in_loop(r->outer, v) || depth == DEPTH)
        return false;
    if (LLVMIsALoadInst(v) || (host_type(LLVMTypeOf(v), &type) && st_type_is_float(type)))
        return true;
    bool any = false;
    for (int i = 0; i < LLVMGetNumOperands(v) && i < MAX_OPERANDS && !any; i++)
        any = !LLVMIsAPHINode(v) && is_of_cells(r, LLVMGetOperand(v, (unsigned)i), depth + 1);
    return any;
}

typedef struct search {
    const host_region *r;
    int visits;
    bool reads;    /* an index or a pointer in it is loaded in the nest */
    bool declined; /* there is a condition on loop counters alone */
    LLVMValueRef found;
} search;

static void look_at(search *m, br_scev s);

/* Notes the condition if it is not assumed yet. */
static void look_at_condition(search *m, LLVMValueRef condition) {
    bool ignored, by_counters = m->r->match.by_counters;
    br_loop changes_in = by_counters ? m->r->outer : m->r->loops[0];
    if (m->found || host_assumed(m->r, condition, &ignored) || !host_in_loop(changes_in, condition))
        return;
    if (by_counters || is_of_cells(m->r, condition, 0))
        m->found = condition;
    else
        m->declined = true;
}

static void look_at_value(search *m, LLVMValueRef v) {
    host_choice choice;
    bool holds;
    if (!LLVMIsAInstruction(v) || !host_in_loop(m->r->outer, v))
        return;
    m->reads |= LLVMIsALoadInst(v) != NULL;
    if (!host_is_choice(m->r, v, &choice) || !LLVMIsAInstruction(choice.condition))
        return;
    look_at_condition(m, choice.condition);
    if (host_assumed(m->r, choice.condition, &holds))
        look_at(m, br_scev_of(m->r->f, holds ? choice.yes : choice.no));
}

static void look_at(search *m, br_scev s) {
    LLVMValueRef condition;
    bool inverse, extends = br_scev_kind(s) == BR_ZEXT || br_scev_kind(s) == BR_SEXT;
    if (++m->visits > MAX_VISITS)
        return;
    if (br_scev_kind(s) == BR_UNKNOWN) {
        look_at_value(m, br_scev_value(s));
        return;
    }
    if (extends && br_scev_bits(m->r->f, br_scev_operand(s, 0)) == 1) {
        if (host_bit_of(br_scev_operand(s, 0), &condition, &inverse) &&
            LLVMIsAInstruction(condition))
            look_at_condition(m, condition);
        return;
    }
    for (size_t i = 0; i < br_scev_count(s); i++)
        look_at(m, br_scev_operand(s, i));
}

/* An index that is read, or a row's pointer, may be remembered as it is under what was assumed: no
 * choice, then. */
LLVMValueRef host_next_choice(host_region *r, LLVMValueRef pointer) {
    search m = {.r = r};
    if (r->form)
        return r->form->choice(r->form->context, pointer);
    if (r->axes == 0)
        return NULL;
    look_at(&m, br_scev_of(r->f, pointer));
    r->match.declined |= m.declined;
    return m.reads ? NULL : m.found;
}
