/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * From the stored value back to its leaves: the statement's expression.
 *
 * Three things in the loop body are not plain operations:
 *   - Integer phis at loop heads are affine in the iteration numbers (ScalarEvolution).
 *   - Other phis at the innermost loop's head carry a value from the last iteration, because GVN
 *     replaced a load of a[j-1] by what was loaded as a[j] before. Such a phi is its latch value
 * one iteration earlier, provided that what enters the loop is loaded from just that address.
 *   - Phis inside the body join branches: they become selects on the branches' conditions. Both
 *     sides are then computed, which is harmless for pure operations; a load from one side only is
 *     marked, and must lie between cells that are always read. Of a kernel, it is noted when the
 *     program makes such a load.
 */
#include "detect/host/slice.h"
#include "detect/common/affine.h"
#include "detect/common/calls.h"
#include "detect/common/flow.h"
#include "detect/common/limits.h"
#include "detect/host/access.h"
#include "detect/host/address.h"
#include "detect/host/after.h"
#include "detect/host/choices.h"
#include "detect/host/ends.h"
#include "detect/host/kept.h"
#include "detect/host/order.h"
#include "detect/host/region.h"
#include "detect/host/statement.h"

#include <stdlib.h>
#include <string.h>

/* Off the recursion, and of a large frame. */
#define LEAF __attribute__((noinline))

static int32_t build(slice *b, LLVMValueRef v, int shift);
static int32_t either(slice *b, int32_t x, int32_t y);
static int32_t block_condition(slice *b, LLVMBasicBlockRef block, int shift);
static int32_t both(slice *b, int32_t x, int32_t y);
static int32_t negation(slice *b, int32_t x);

enum { ALWAYS = SLICE_ALWAYS };

/* Loads */

static int32_t select_node(slice *b, int32_t condition, int32_t yes, int32_t no) {
    if (yes == no || condition < 0)
        return yes; /* no condition: always */
    return st_operation(b->s, ST_SELECT, (st_type)b->s->nodes[yes].type, condition, yes, no);
}

/* A kernel need not have a loop, nor a single cell in a time loop. */
static br_loop innermost(const slice *b) {
    return b->r->axes > 0 ? b->r->loops[0] : NULL;
}

static bool in_innermost(const slice *b, LLVMValueRef v) {
    if (!innermost(b))
        return b->r->form && LLVMIsAInstruction(v) != NULL;
    return host_in_loop(innermost(b), v);
}

static bool always_executed(const slice *b, LLVMBasicBlockRef block) {
    if (b->r->form)
        return b->r->form->always(b->r->form->context, block);
    return !innermost(b) || !br_loop_contains(innermost(b), block) || host_always(b->r, block);
}

/* Where a load reads. One whose index is brought back at the ends of the loops, or that is skipped
 * there, is looked at apart: `r->match.end_load`. */
static bool load_address(slice *b, LLVMValueRef v, int shift, bool conditional, host_affine at[]) {
    host_region *r = b->r;
    bool skipped = conditional && r->match.use_ends;
    r->match.end_load = NULL;
    if (!skipped && host_address(r, LLVMGetOperand(v, 0), shift, at))
        return true;
    bool ends = !r->form && (!r->steps || (host_walks_all(r) && !r->copies));
    if (ends && shift == 0 && in_innermost(b, v) && host_end_address(r, LLVMGetOperand(v, 0), at)) {
        r->match.end_load = v;
        return true;
    }
    return skipped && host_address(r, LLVMGetOperand(v, 0), shift, at);
}

/* The access that a load is, under what is assumed; -1: refused. */
static LEAF int32_t access_of(slice *b, LLVMValueRef v, int shift) {
    host_affine at[ST_MAX_BUFFERS];
    host_matching *m = &b->r->match;
    st_type t;
    int32_t access;
    if (!host_type(LLVMTypeOf(v), &t) || t == ST_I1)
        return slice_refuse_type(b, LLVMTypeOf(v));
    bool conditional = !always_executed(b, LLVMGetInstructionParent(v));
    if (b->r->steps && !in_innermost(b, v) && !host_load_is_timely(b->r, v))
        return slice_refuse_value(b, ST_NO_CARRIED, v);
    m->load = shift == 0 ? v : NULL;
    if (!load_address(b, v, shift, conditional, at) ||
        !host_access(b->r, LLVMGetOperand(v, 0), at, t, conditional || m->nassumed > 0, &access))
        return -1;
    if (conditional && m->nassumed == 0 && m->nskipped < HOST_MAX_SKIPPED) {
        m->skipped[m->nskipped] = v;
        m->skipped_access[m->nskipped++] = access;
    }
    return access;
}

static int32_t load(slice *b, LLVMValueRef v, int shift);

static int32_t assuming(slice *b, LLVMValueRef condition, bool holds, LLVMValueRef v, int shift) {
    host_matching *m = &b->r->match;
    int before = m->nassumed;
    m->assumed[before] = condition;
    m->holds[before] = holds;
    host_assume(b->r, before + 1);
    int32_t node = load(b, v, shift);
    host_assume(b->r, before);
    return node;
}

static int32_t chosen_load(slice *b, LLVMValueRef condition, LLVMValueRef v, int shift) {
    if (b->r->match.nassumed == HOST_MAX_CHOICES)
        return slice_refuse(b, ST_NO_NOT_AFFINE, "it is chosen by more than four conditions");
    int32_t yes = assuming(b, condition, true, v, shift);
    int32_t no = yes < 0 ? -1 : assuming(b, condition, false, v, shift);
    host_assumptions before = host_lift(b->r);
    int32_t which = no < 0 ? -1 : build(b, condition, shift);
    host_restore(b->r, &before);
    return which < 0 ? -1 : select_node(b, which, yes, no);
}

/* When control comes to the block and what was assumed holds: a node, ALWAYS, or -1 if refused. */
static int32_t chosen_condition(slice *b, LLVMBasicBlockRef block, int shift,
                                const host_assumptions *a) {
    int32_t runs = block_condition(b, block, shift);
    for (int i = 0; i < a->count && runs != -1; i++) {
        int32_t one = build(b, a->conditions[i], shift);
        one = a->holds[i] || one < 0 ? one : negation(b, one);
        runs = one < 0 ? -1 : both(b, runs, one);
    }
    return runs;
}

/* When a kernel makes the load, perhaps one of several of the same cell: `access`, or another one
 * of the cell, whose condition needs the first one's value; -1: refused. */
static int32_t note_condition(slice *b, LLVMBasicBlockRef block, int shift, int32_t access,
                              const host_assumptions *under) {
    if (!b->r->form || !b->s->accesses[access].conditional)
        return access;
    int32_t runs = chosen_condition(b, block, shift, under);
    st_access *a = &b->s->accesses[access]; /* by now: the condition may need loads of it, too */
    if (runs == -1)
        return -1;
    if (runs == ALWAYS)
        a->conditional = false;
    if (!a->conditional || a->where == runs)
        return access;
    if (a->where >= 0 && st_needs(b->s, runs, access)) {
        st_access another = *a;
        another.where = runs;
        return st_append_access(b->s, another);
    }
    a->where = a->where < 0 ? runs : either(b, a->where, runs);
    return access;
}

static int32_t load(slice *b, LLVMValueRef v, int shift) {
    LLVMValueRef condition = host_next_choice(b->r, LLVMGetOperand(v, 0));
    if (condition)
        return chosen_load(b, condition, v, shift);
    int32_t access = access_of(b, v, shift), node = -1;
    host_assumptions under = host_lift(b->r);
    if (access >= 0)
        access = note_condition(b, LLVMGetInstructionParent(v), shift, access, &under);
    if (access >= 0) {
        st_type t = b->s->grids[b->s->accesses[access].grid].type;
        node = b->own_cell(b, v, st_leaf(b->s, ST_ACCESS, t, access), shift);
    }
    host_restore(b->r, &under);
    return node;
}

/* Phis */

/* Is `entry`, seen before the first iteration, what `body` would have loaded `shift` iterations
 * from it? */
static LEAF bool enters_as(slice *b, LLVMValueRef entry, LLVMValueRef body, int shift) {
    host_affine x[ST_MAX_BUFFERS], y[ST_MAX_BUFFERS];
    host_region *r = b->r;
    return LLVMTypeOf(entry) == LLVMTypeOf(body) && host_loaded_at(r, entry, x) &&
           host_address(r, LLVMGetOperand(body, 0), shift, y) && host_starts_as(r, x, y, 0);
}

static int32_t is_equal(slice *b, int32_t x, int32_t y);
static bool is_invariant(const slice *b, LLVMValueRef v);

/* What the iteration before loaded; in the first one, a number that does not change in the nest, as
 * LLVM has it of an element that was assigned in front of the loop: once, or in each step. */
static LEAF int32_t carried_from(slice *b, LLVMValueRef entry, LLVMValueRef body) {
    host_affine at[ST_MAX_BUFFERS];
    st_type t;
    int32_t access;
    int32_t first = build(b, entry, 0);
    if (first < 0 || !host_type(LLVMTypeOf(body), &t) ||
        !host_address(b->r, LLVMGetOperand(body, 0), 0, at) ||
        !host_access_before(b->r, at, t, &access))
        return -1;
    int32_t counter = st_leaf(b->s, ST_COORD, ST_I64, b->r->dim_of_loop[0]);
    int32_t begins = is_equal(b, counter, st_constant(b->s, ST_I64, 0));
    return select_node(b, begins, first, st_leaf(b->s, ST_ACCESS, t, access));
}

/* A phi at the innermost loop's head that is not affine: see the head of this file. */
static int32_t carried(slice *b, LLVMValueRef phi, int shift) {
    br_loop inner = b->r->loops[0];
    LLVMValueRef chain[2 * ST_MAX_RADIUS + 1], v = phi;
    int length = 0;
    while (LLVMIsAPHINode(v) && host_is_at_head(inner, v) && LLVMCountIncoming(v) == 2) {
        if (length == 2 * ST_MAX_RADIUS + 1)
            return slice_refuse_value(b, ST_NO_CARRIED, phi);
        chain[length++] = v;
        v = host_incoming(v, inner, true);
    }
    if (!LLVMIsALoadInst(v) || !in_innermost(b, v) ||
        !always_executed(b, LLVMGetInstructionParent(v)))
        return slice_refuse_value(b, ST_NO_CARRIED, phi);
    LLVMValueRef entry = host_incoming(chain[0], inner, false);
    if (length == 1 && shift == 0 && !b->r->form && !enters_as(b, entry, v, -1) &&
        (is_invariant(b, entry) || host_is_known_in_step(b->r, entry)))
        return carried_from(b, entry, v);
    for (int i = 0; i < length; i++)
        if (!enters_as(b, host_incoming(chain[i], inner, false), v, i - length))
            return slice_refuse_value(b, ST_NO_CARRIED, phi);
    return build(b, v, shift - length);
}

static int32_t both(slice *b, int32_t x, int32_t y) {
    if (x == ALWAYS || y == ALWAYS)
        return x == ALWAYS ? y : x;
    /* Not `and`: the second condition may be poison where the first is false. */
    return st_operation(b->s, ST_SELECT, ST_I1, x, y, st_constant(b->s, ST_I1, 0));
}

static int32_t either(slice *b, int32_t x, int32_t y) {
    if (x == ALWAYS || y == ALWAYS)
        return ALWAYS;
    return st_operation(b->s, ST_SELECT, ST_I1, x, st_constant(b->s, ST_I1, 1), y);
}

static int32_t is_equal(slice *b, int32_t x, int32_t y) {
    st_node n = st_blank_node(ST_ICMP, ST_I1);
    n.predicate = LLVMIntEQ;
    n.args[0] = x;
    n.args[1] = y;
    return st_add_node(b->s, n);
}

static int32_t negation(slice *b, int32_t x) {
    return x < 0 ? x : slice_binary(b, ST_XOR, ST_I1, x, st_constant(b->s, ST_I1, 1));
}

/* When a switch goes to its successor number i: 0 is the default. */
static int32_t switch_condition(slice *b, LLVMValueRef end, unsigned i, int shift) {
    int32_t value = build(b, LLVMGetOperand(end, 0), shift);
    if (value < 0)
        return -1;
    int32_t any = -1;
    for (unsigned k = 1; k < LLVMGetNumSuccessors(end); k++) {
        if (i > 0 && k != i)
            continue;
        LLVMValueRef literal = br_case_value(end, k);
        int32_t hit = is_equal(
            b, value,
            st_constant(b->s, (st_type)b->s->nodes[value].type, LLVMConstIntGetZExtValue(literal)));
        any = any < 0 ? hit : either(b, any, hit);
    }
    return i > 0 ? any : negation(b, any);
}

/* When control goes from block `from` to block `to`, both in the innermost loop. */
static int32_t edge_condition(slice *b, LLVMBasicBlockRef from, LLVMBasicBlockRef to, int shift) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    int32_t reached = block_condition(b, from, shift), taken = -2;
    if (reached == -1)
        return -1;
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
        int32_t one = ALWAYS;
        if (LLVMGetSuccessor(end, i) != to)
            continue;
        if (LLVMIsASwitchInst(end)) {
            one = switch_condition(b, end, i, shift);
        } else if (!br_is_branch(end)) {
            return slice_refuse(b, ST_NO_CONTROL_FLOW, "an indirect jump");
        } else if (br_is_conditional(end)) {
            one = build(b, LLVMGetCondition(end), shift);
            one = i == 0 || one < 0 ? one : negation(b, one);
        }
        if (one == -1)
            return -1;
        taken = taken == -2 ? one : either(b, taken, one);
    }
    return both(b, reached, taken);
}

/* Block number i, which comes after `last`. */
static LLVMBasicBlockRef body_block(const slice *b, size_t i, LLVMBasicBlockRef last) {
    if (!b->r->form)
        return br_loop_block(b->r->loops[0], i);
    return last ? LLVMGetNextBasicBlock(last) : LLVMGetFirstBasicBlock(b->r->function);
}

static int32_t compute_block_condition(slice *b, LLVMBasicBlockRef block, int shift) {
    LLVMBasicBlockRef from = NULL;
    int32_t any = -2;
    for (size_t i = 0; (from = body_block(b, i, from)); i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
        for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) {
            if (LLVMGetSuccessor(end, k) != block)
                continue;
            int32_t edge = edge_condition(b, from, block, shift);
            if (edge == -1)
                return -1;
            any = any == -2 ? edge : either(b, any, edge);
            break;
        }
    }
    return any == -2 ? slice_refuse(b, ST_NO_CONTROL_FLOW, "a block is not reached") : any;
}

/* When a block of the innermost loop runs: a node, ALWAYS, or -1 if refused. */
static int32_t block_condition(slice *b, LLVMBasicBlockRef block, int shift) {
    if (always_executed(b, block))
        return ALWAYS;
    int32_t known = slice_recall(b, block, shift);
    if (known >= 0)
        return known;
    int32_t c = compute_block_condition(b, block, shift);
    if (c >= 0)
        slice_remember(b, block, shift, c);
    return c;
}

static int32_t join(slice *b, LLVMValueRef phi, int shift) {
    LLVMBasicBlockRef here = LLVMGetInstructionParent(phi);
    int32_t value = -1;
    for (unsigned i = LLVMCountIncoming(phi); i-- > 0;) {
        int32_t one = build(b, LLVMGetIncomingValue(phi, i), shift);
        if (one < 0)
            return -1;
        if (value < 0) {
            value = one;
            continue;
        }
        int32_t edge = edge_condition(b, LLVMGetIncomingBlock(phi, i), here, shift);
        if (edge == -1)
            return -1;
        value = select_node(b, edge, one, value);
    }
    return value;
}

/* An integer that is affine in the iteration numbers, and does not alternate with the steps. */
static bool is_affine(host_region *r, LLVMValueRef v, host_affine *a) {
    host_affine other;
    if (r->form)
        return r->form->affine(r->form->context, v, a, NULL);
    host_query q = {.r = r}; /* tentative */
    bool yes = host_evaluate(&q, br_scev_of(r->f, v), a);
    for (q.step = 1; q.step < r->period && yes; q.step++)
        yes = host_evaluate(&q, br_scev_of(r->f, v), &other) && poly_equal(a->base, other.base);
    return yes;
}

/* The node of such an integer; -2 if v is none. Apart, for what it takes of the stack is not to be
 * taken at each level of an expression. */
static LEAF int32_t affine_node(slice *b, LLVMValueRef v, int shift) {
    st_type t;
    host_affine a;
    bool is_integer = host_type(LLVMTypeOf(v), &t) && !st_type_is_float(t) && t != ST_I1;
    return is_integer && is_affine(b->r, v, &a) ? slice_affine(b, &a, t, shift) : -2;
}

/* An integer that grows from step to step. With two sweeps it may be computed outside both: 2 * t
 * in the first sweep and 2 * t + 1 in the second are one number, which grows by 1 from sweep to
 * sweep. In a kernel it is any integer that is a sum of multiples of its coordinates. */
static int32_t step_number(slice *b, LLVMValueRef v, int shift) {
    const host_region *r = b->r;
    bool outside = r->twin && !host_in_loop(r->loops[r->axes - 1], v);
    return outside || r->form ? affine_node(b, v, shift) : -2;
}

/* Is the phi at the head of any loop? Its value comes from an iteration before. */
static bool is_loop_head(host_region *r, LLVMValueRef phi) {
    LLVMBasicBlockRef here = LLVMGetInstructionParent(phi);
    bool head = false;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        head |= br_dominates(r->f, here, LLVMGetIncomingBlock(phi, i));
    return head;
}

static int32_t phi_value(slice *b, LLVMValueRef phi, int shift) {
    host_region *r = b->r;
    st_type t;
    if (!host_type(LLVMTypeOf(phi), &t))
        return slice_refuse_type(b, LLVMTypeOf(phi));
    int32_t affine = affine_node(b, phi, shift);
    if (affine != -2)
        return affine;
    if (innermost(b) && host_is_at_head(innermost(b), phi))
        return carried(b, phi, shift);
    if (in_innermost(b, phi) && !is_loop_head(r, phi))
        return join(b, phi, shift);
    if (LLVMCountIncoming(phi) == 1)
        return build(b, LLVMGetIncomingValue(phi, 0), shift);
    return slice_refuse_value(b, ST_NO_CARRIED, phi);
}

/* Operations */

static st_op operation_of(LLVMValueRef v) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(v);
    size_t length;
    const char *name = "";
    if (opcode == LLVMCall)
        name = LLVMGetValueName2(LLVMGetCalledValue(v), &length);
    for (int op = 0; op < ST_OP_COUNT; op++) {
        const char *i = st_ops[op].intrinsic;
        if (opcode == LLVMCall ? i && !strncmp(name, i, strlen(i)) && name[strlen(i)] == '.'
                               : st_ops[op].opcode == (int)opcode)
            return (st_op)op;
    }
    return ST_OP_COUNT;
}

static int32_t refuse_operation(slice *b, LLVMValueRef v) {
    char own[ST_DETAIL];
    host_operation_name(v, own, sizeof own);
    return slice_refuse(b, ST_NO_OPERATION, own);
}

/* llvm.abs(x, poison) as max(x, -x), which wraps for the least integer as it may. */
static int32_t absolute(slice *b, LLVMValueRef v, st_type t, int shift) {
    int32_t x = build(b, LLVMGetOperand(v, 0), shift);
    if (x < 0)
        return -1;
    return slice_binary(b, ST_SMAX, t, x, slice_binary(b, ST_SUB, t, st_constant(b->s, t, 0), x));
}

static bool is_absolute(LLVMValueRef v) {
    size_t length;
    return LLVMGetInstructionOpcode(v) == LLVMCall &&
           !strncmp(LLVMGetValueName2(LLVMGetCalledValue(v), &length), "llvm.abs.", 9);
}

/* Every cell divides, also where the program does not: a divisor that may be zero there must not
 * be, for a division by zero lets the compiler assume that its condition holds. */
static int32_t guarded_divisor(slice *b, LLVMValueRef v, int32_t divisor, int shift) {
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    LLVMValueRef literal = LLVMGetOperand(v, 1);
    if (op != LLVMUDiv && op != LLVMSDiv && op != LLVMURem && op != LLVMSRem)
        return divisor;
    if (!in_innermost(b, v) || always_executed(b, LLVMGetInstructionParent(v)) ||
        (LLVMIsAConstantInt(literal) && LLVMConstIntGetSExtValue(literal) > 0))
        return divisor;
    int32_t runs = block_condition(b, LLVMGetInstructionParent(v), shift);
    if (runs < 0)
        return -1;
    st_type t = (st_type)b->s->nodes[divisor].type;
    return select_node(b, runs, divisor, st_constant(b->s, t, 1));
}

/* An operation of a kernel for which the model has no name. */
static int32_t repeated(slice *b, LLVMValueRef v, st_type t, int shift) {
    LLVMValueRef operand[SLICE_OPERANDS];
    int count = slice_repeats(b, v, operand);
    if (count == 0)
        return -1;
    st_node n = st_blank_node((st_op)(ST_CALL1 + count - 1), t);
    for (int k = 0; k < count; k++) {
        st_type argument;
        if (!host_type(LLVMTypeOf(operand[k]), &argument))
            return slice_refuse_type(b, LLVMTypeOf(operand[k]));
        n.args[k] = build(b, operand[k], shift);
        if (n.args[k] < 0)
            return -1;
    }
    n.index = slice_call_number(b, v);
    return st_add_node(b->s, n);
}

static int32_t product(slice *b, LLVMValueRef part, int shift) {
    int32_t factors[4];
    for (unsigned i = 0; i < 4; i++) {
        factors[i] = build(b, LLVMGetOperand(LLVMGetOperand(part, 0), i), shift);
        if (factors[i] < 0)
            return -1;
    }
    return slice_product(b, part, factors);
}

static int32_t operation(slice *b, LLVMValueRef v, int shift) {
    st_type t;
    if (!host_type(LLVMTypeOf(v), &t))
        return slice_refuse_type(b, LLVMTypeOf(v));
    if (slice_is_product(v))
        return product(b, v, shift);
    if (is_absolute(v))
        return absolute(b, v, t, shift);
    st_op op = operation_of(v);
    if (op == ST_OP_COUNT)
        return b->r->form ? repeated(b, v, t, shift) : refuse_operation(b, v);
    st_node n = st_blank_node(op, t);
    if (op == ST_ICMP)
        n.predicate = (uint8_t)LLVMGetICmpPredicate(v);
    if (op == ST_FCMP)
        n.predicate = (uint8_t)LLVMGetFCmpPredicate(v);
    if (LLVMCanValueUseFastMathFlags(v))
        n.flags = (uint8_t)LLVMGetFastMathFlags(v);
    for (int i = 0; i < st_ops[op].arity; i++) {
        st_type argument;
        if (!host_type(LLVMTypeOf(LLVMGetOperand(v, (unsigned)i)), &argument))
            return slice_refuse_type(b, LLVMTypeOf(LLVMGetOperand(v, (unsigned)i)));
        n.args[i] = build(b, LLVMGetOperand(v, (unsigned)i), shift);
        if (i == 1 && n.args[i] >= 0)
            n.args[i] = guarded_divisor(b, v, n.args[i], shift);
        if (n.args[i] < 0)
            return -1;
    }
    return op == ST_MINNUM || op == ST_MAXNUM ? slice_extreme(b, v, &n) : st_add_node(b->s, n);
}

static bool is_invariant(const slice *b, LLVMValueRef v) {
    return b->r->form ? b->r->form->invariant(b->r->form->context, v)
                      : !host_in_loop(b->r->outer, v);
}

static int32_t build_new(slice *b, LLVMValueRef v, int shift) {
    st_type t;
    bool late;
    if (is_invariant(b, v)) {
        if (!host_type(LLVMTypeOf(v), &t))
            return slice_refuse_type(b, LLVMTypeOf(v));
        int32_t literal = LLVMIsConstant(v) ? slice_constant(b, v, t) : -2;
        return literal == -2 ? slice_invariant(b, v, t) : literal;
    }
    if (host_follows(b->r, v, &late))
        return slice_followed(b, v, late);
    if (LLVMIsAPHINode(v))
        return phi_value(b, v, shift);
    if (LLVMIsALoadInst(v))
        return load(b, v, shift);
    int32_t number = step_number(b, v, shift);
    return number != -2 ? number : operation(b, v, shift);
}

/* The value of v in the iteration `shift` away along the innermost loop. */
static int32_t build(slice *b, LLVMValueRef v, int shift) {
    if (LLVMIsAInstruction(v) && !in_innermost(b, v))
        shift = 0; /* the same for all of them */
    int32_t known = slice_recall(b, v, shift);
    if (known >= 0)
        return known;
    if (b->depth == HOST_MAX_DEPTH)
        return slice_refuse(b, ST_NO_TOO_BIG, "5000 operations one after the other");
    b->depth++;
    int32_t node = build_new(b, v, shift);
    b->depth--;
    if (b->s->nnodes > HOST_MAX_NODES)
        return slice_refuse(b, ST_NO_TOO_BIG, "20000 operations");
    if (node >= 0)
        slice_remember(b, v, shift, node);
    return node;
}

int32_t slice_value(slice *b, LLVMValueRef v) {
    return build(b, v, 0);
}
int32_t slice_runs(slice *b, LLVMBasicBlockRef block) {
    return block_condition(b, block, 0);
}
int32_t slice_choose(slice *b, int32_t condition, int32_t yes, int32_t no) {
    return select_node(b, condition, yes, no);
}
