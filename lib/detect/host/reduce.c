/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Finds reductions: maxima, minima and sums over the cells of a sweep, in time loops of several
 * sweeps or of one. A reduction is a value carried through all loops of the nest. It is legal when
 *   1. each iteration of the innermost loop makes it the extreme of itself and a value of the cell,
 *      or adds that value, and does nothing else with it;
 *   2. it starts, in each time step, from a value that does not change in the time loop, or, a
 *      maximum or minimum, from its first cell; or from what an earlier sweep of the step has
 *      reduced in the same way, if the order does not matter;
 *   3. the order of the cells does not matter: integers are added, or floating-point numbers
 *      compared, where the runtime declines if there are NaNs, or zeros of both signs; or
 *      floating-point numbers are added where the program leaves the order free, by the flags
 *      reassoc and nsz of all additions; or
 *   4. each cell adds one floating-point number: then the runtime makes the sum in the order of the
 *      program's loops.
 * A cell may count only under a condition; one that does not has the value that the reduction
 * starts from, or adds nothing. What happens with a reduction after a step: steps/after.c.
 */
#include "detect/common/calls.h"
#include "detect/common/flow.h"
#include "detect/common/limits.h"
#include "detect/host/after.h"
#include "detect/host/nest.h"
#include "detect/host/region.h"
#include "detect/host/statement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The combination of two values */

static bool is_greater(LLVMValueRef compare, bool *is_signed) {
    if (LLVMIsAFCmpInst(compare)) {
        LLVMRealPredicate p = LLVMGetFCmpPredicate(compare);
        return p == LLVMRealOGT || p == LLVMRealOGE || p == LLVMRealUGT || p == LLVMRealUGE;
    }
    LLVMIntPredicate p = LLVMGetICmpPredicate(compare);
    *is_signed = p >= LLVMIntSGT;
    return p == LLVMIntSGT || p == LLVMIntSGE || p == LLVMIntUGT || p == LLVMIntUGE;
}

static bool is_less(LLVMValueRef compare) {
    if (LLVMIsAFCmpInst(compare)) {
        LLVMRealPredicate p = LLVMGetFCmpPredicate(compare);
        return p == LLVMRealOLT || p == LLVMRealOLE || p == LLVMRealULT || p == LLVMRealULE;
    }
    LLVMIntPredicate p = LLVMGetICmpPredicate(compare);
    return p == LLVMIntSLT || p == LLVMIntSLE || p == LLVMIntULT || p == LLVMIntULE;
}

/* Is v what the comparison's operand is? Of |d| also d < 0 ? -d : d, as LLVM writes it at times:
 * they differ by the sign of a zero. */
static bool is_operand(LLVMValueRef operand, LLVMValueRef v) {
    size_t length;
    if (operand == v || !LLVMIsACallInst(operand) || !LLVMIsASelectInst(v))
        return operand == v;
    LLVMValueRef callee = LLVMGetCalledValue(operand), compare = LLVMGetOperand(v, 0);
    LLVMValueRef yes = LLVMGetOperand(v, 1), no = LLVMGetOperand(v, 2);
    if (!LLVMIsAFunction(callee) || !LLVMIsAFCmpInst(compare) ||
        strncmp(LLVMGetValueName2(callee, &length), "llvm.fabs.", 10))
        return false;
    LLVMValueRef d = LLVMGetOperand(operand, 0), zero = LLVMGetOperand(compare, 1);
    bool ignored, greater = is_greater(compare, &ignored);
    LLVMValueRef positive = greater ? yes : no, negative = greater ? no : yes;
    LLVMBool lossy;
    return (greater || is_less(compare)) && LLVMGetOperand(compare, 0) == d && positive == d &&
           LLVMIsAConstantFP(zero) && LLVMConstRealGetDouble(zero, &lossy) == 0 &&
           LLVMGetInstructionOpcode(negative) == LLVMFNeg && LLVMGetOperand(negative, 0) == d;
}

/* Does the comparison hold for equal numbers? */
static bool takes_equal(LLVMValueRef compare) {
    if (LLVMIsAFCmpInst(compare)) {
        LLVMRealPredicate p = LLVMGetFCmpPredicate(compare);
        return p == LLVMRealOGE || p == LLVMRealUGE || p == LLVMRealOLE || p == LLVMRealULE;
    }
    LLVMIntPredicate p = LLVMGetICmpPredicate(compare);
    return p == LLVMIntSGE || p == LLVMIntUGE || p == LLVMIntSLE || p == LLVMIntULE;
}

/* x > y ? x : y and its like; which of equal ones it takes does not matter, but for zeros. */
static bool match_extreme(LLVMValueRef compare, LLVMValueRef yes, LLVMValueRef no,
                          LLVMValueRef carried, host_reduction *out) {
    if (!LLVMIsAFCmpInst(compare) && !LLVMIsAICmpInst(compare))
        return false;
    LLVMValueRef x = LLVMGetOperand(compare, 0), y = LLVMGetOperand(compare, 1);
    bool greater = is_greater(compare, &out->is_signed),
         same = is_operand(x, yes) && is_operand(y, no);
    if ((!same && (!is_operand(x, no) || !is_operand(y, yes))) || (!greater && !is_less(compare)) ||
        (yes == carried) == (no == carried))
        return false;
    out->op = greater == same ? ST_REDUCE_MAX : ST_REDUCE_MIN;
    out->value = yes == carried ? no : yes;
    out->keeps = (takes_equal(compare) ? yes : no) == carried;
    return true;
}

/* Both operands of `and` or `or`, also where LLVM has a choice for it. */
static bool get_both(LLVMValueRef v, LLVMOpcode op, LLVMValueRef both[2]) {
    if (LLVMIsASelectInst(v)) {
        LLVMValueRef known = LLVMGetOperand(v, op == LLVMOr ? 1 : 2);
        both[0] = LLVMGetOperand(v, 0);
        both[1] = LLVMGetOperand(v, op == LLVMOr ? 2 : 1);
        return LLVMIsAConstantInt(known) &&
               LLVMConstIntGetZExtValue(known) == (unsigned)(op == LLVMOr);
    }
    if (!LLVMIsABinaryOperator(v) || LLVMGetInstructionOpcode(v) != op)
        return false;
    both[0] = LLVMGetOperand(v, 0);
    both[1] = LLVMGetOperand(v, 1);
    return true;
}

/* Is it true only if the value is NaN? */
static bool asks_for_nan(LLVMValueRef v, LLVMValueRef of) {
    LLVMBool lossy;
    if (!LLVMIsAFCmpInst(v) || LLVMGetFCmpPredicate(v) != LLVMRealUNO || LLVMGetOperand(v, 0) != of)
        return false;
    LLVMValueRef other = LLVMGetOperand(v, 1);
    return other == of ||
           (LLVMIsAConstantFP(other) && !isnan(LLVMConstRealGetDouble(other, &lossy)));
}

/* Of `x > carried || (carried is NaN && x is not)`, as Fortran's maxval has it: the comparison
 * alone, for the runtime declines if there are NaNs. */
static LLVMValueRef without_nans(LLVMValueRef condition, LLVMValueRef carried) {
    LLVMValueRef either[2], both[2];
    if (!get_both(condition, LLVMOr, either))
        return condition;
    for (int i = 0; i < 2; i++)
        if (get_both(either[1 - i], LLVMAnd, both) &&
            (asks_for_nan(both[0], carried) || asks_for_nan(both[1], carried)))
            return either[i];
    return condition;
}

static bool match_select(LLVMValueRef v, LLVMValueRef carried, host_reduction *out) {
    return match_extreme(without_nans(LLVMGetOperand(v, 0), carried), LLVMGetOperand(v, 1),
                         LLVMGetOperand(v, 2), carried, out);
}

static bool match_call(LLVMValueRef v, host_reduction *out) {
    static const struct {
        const char *name;
        st_reduce_op op;
        bool is_signed;
    } extremes[] = {
        {"llvm.maxnum.", ST_REDUCE_MAX, false},     {"llvm.minnum.", ST_REDUCE_MIN, false},
        {"llvm.maximum.", ST_REDUCE_MAX, false},    {"llvm.minimum.", ST_REDUCE_MIN, false},
        {"llvm.maximumnum.", ST_REDUCE_MAX, false}, {"llvm.minimumnum.", ST_REDUCE_MIN, false},
        {"llvm.smax.", ST_REDUCE_MAX, true},        {"llvm.smin.", ST_REDUCE_MIN, true},
        {"llvm.umax.", ST_REDUCE_MAX, false},       {"llvm.umin.", ST_REDUCE_MIN, false}};
    LLVMValueRef callee = LLVMGetCalledValue(v);
    size_t length, i = 0, count = sizeof extremes / sizeof *extremes;
    const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
    while (i < count && strncmp(name, extremes[i].name, strlen(extremes[i].name)))
        i++;
    if (i == count)
        return false;
    out->op = extremes[i].op;
    out->is_signed = extremes[i].is_signed;
    return true;
}

/* Is the order of this addition or subtraction, and the sign of a zero, left free? */
static bool is_free_addition(LLVMValueRef v) {
    const LLVMFastMathFlags wanted = LLVMFastMathAllowReassoc | LLVMFastMathNoSignedZeros;
    if (!LLVMIsABinaryOperator(v) ||
        (LLVMGetInstructionOpcode(v) != LLVMFAdd && LLVMGetInstructionOpcode(v) != LLVMFSub))
        return false;
    return (LLVMGetFastMathFlags(v) & wanted) == wanted;
}

/* v = carried + addends, some of which are subtracted. */
static bool match_sum(LLVMValueRef v, LLVMValueRef carried, host_reduction *out) {
    if (v == carried)
        return out->naddends > 0;
    if (out->naddends == HOST_MAX_ADDENDS || !is_free_addition(v))
        return false;
    bool subtracts = LLVMGetInstructionOpcode(v) == LLVMFSub;
    int at = out->naddends++;
    for (unsigned i = 0; i < (subtracts ? 1 : 2); i++) {
        out->addend[at] = LLVMGetOperand(v, 1 - i);
        out->subtracted = (out->subtracted & ~(1u << at)) | (uint32_t)subtracts << at;
        if (match_sum(LLVMGetOperand(v, i), carried, out))
            return true;
    }
    out->naddends = at;
    return false;
}

/* v = carried + addend, of floats, in the order of the cells; or - addend; or + addend * factor. */
static bool match_ordered(LLVMValueRef v, LLVMValueRef carried, host_reduction *out) {
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    size_t length;
    *out = (host_reduction){.last = v, .op = ST_REDUCE_ORDERED, .naddends = 1};
    if (LLVMIsACallInst(v)) {
        LLVMValueRef callee = LLVMGetCalledValue(v);
        const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
        if (strncmp(name, "llvm.fmuladd.", 13) || LLVMGetOperand(v, 2) != carried)
            return false;
        out->addend[0] = LLVMGetOperand(v, 0);
        out->factor = LLVMGetOperand(v, 1);
        return out->addend[0] != carried && out->factor != carried;
    }
    if (op != LLVMFAdd && op != LLVMFSub)
        return false;
    bool first = LLVMGetOperand(v, 0) == carried;
    out->addend[0] = LLVMGetOperand(v, first ? 1 : 0);
    out->subtracted = op == LLVMFSub;
    return (first || (op == LLVMFAdd && LLVMGetOperand(v, 1) == carried)) &&
           out->addend[0] != carried;
}

/* Is v the carried and another value, combined in one of these ways? */
static bool match_combination(LLVMValueRef v, LLVMValueRef carried, host_reduction *out) {
    *out = (host_reduction){.last = v, .op = ST_REDUCE_SUM};
    if (match_sum(v, carried, out) || match_ordered(v, carried, out))
        return true;
    *out = (host_reduction){.last = v};
    if (LLVMIsASelectInst(v))
        return match_select(v, carried, out);
    if (LLVMIsACallInst(v) ? !match_call(v, out) : LLVMGetInstructionOpcode(v) != LLVMAdd)
        return false;
    if (!LLVMIsACallInst(v))
        out->op = ST_REDUCE_SUM;
    LLVMValueRef x = LLVMGetOperand(v, 0), y = LLVMGetOperand(v, 1);
    out->value = x == carried ? y : x;
    return (x == carried) != (y == carried);
}

/* Is v made of the carried value by additions, of `most` numbers at most? */
static bool adds_floats(LLVMValueRef v, LLVMValueRef carried, int most) {
    if (v == carried || most == 0 || !LLVMIsAInstruction(v))
        return v == carried;
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    if (LLVMIsACallInst(v)) /* fmuladd */
        return LLVMGetNumArgOperands(v) == 3 &&
               adds_floats(LLVMGetOperand(v, 2), carried, most - 1);
    return (op == LLVMFAdd || op == LLVMFSub) &&
           (adds_floats(LLVMGetOperand(v, 0), carried, most - 1) ||
            adds_floats(LLVMGetOperand(v, 1), carried, most - 1));
}

/* The only block from which control comes to this one; or NULL. */
static LLVMBasicBlockRef only_way_to(const host_region *r, LLVMBasicBlockRef to) {
    LLVMBasicBlockRef block, only = NULL;
    for (size_t b = 0; (block = br_loop_block(r->loops[0], b)); b++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
            if (LLVMGetSuccessor(end, i) != to)
                continue;
            if (only)
                return NULL;
            only = block;
        }
    }
    return only;
}

/* if (v > carried) carried = v; by a branch: what the block in front decides. */
static bool match_branch(const host_region *r, LLVMBasicBlockRef from, LLVMValueRef v,
                         LLVMValueRef carried, host_reduction *out) {
    LLVMBasicBlockRef before = only_way_to(r, from);
    LLVMValueRef end = before ? LLVMGetBasicBlockTerminator(before) : NULL;
    if (!end || !br_is_conditional(end))
        return false;
    bool holds = LLVMGetSuccessor(end, 0) == from;
    out->block = before;
    return match_extreme(LLVMGetCondition(end), holds ? v : carried, holds ? carried : v, carried,
                         out);
}

/* The one value of a phi that is another than the carried one, and where it comes from; or NULL. */
static LLVMValueRef other_incoming(LLVMValueRef phi, LLVMValueRef carried,
                                   LLVMBasicBlockRef *from) {
    LLVMValueRef other = NULL;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef v = LLVMGetIncomingValue(phi, i);
        if (v == carried)
            continue;
        if (other)
            return NULL;
        other = v;
        *from = LLVMGetIncomingBlock(phi, i);
    }
    bool only = other && LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(*from)) == 1;
    return only ? other : NULL;
}

/* What a select or a phi makes of the carried value under a condition: the combination of both; or
 * NULL. */
static LLVMValueRef combination_under(const host_region *r, LLVMValueRef last, LLVMValueRef carried,
                                      host_reduction *when) {
    LLVMValueRef v = NULL;
    if (LLVMIsASelectInst(last)) {
        when->condition = LLVMGetOperand(last, 0);
        when->holds = LLVMGetOperand(last, 2) == carried;
        v = LLVMGetOperand(last, when->holds ? 1 : 2);
        if (LLVMGetOperand(last, when->holds ? 2 : 1) != carried)
            v = NULL;
    } else if (LLVMIsAPHINode(last) &&
               LLVMGetInstructionParent(last) != br_loop_header(r->loops[0])) {
        v = other_incoming(last, carried, &when->block);
    }
    return v && LLVMIsAInstruction(v) ? v : NULL;
}

static bool match_under(const host_region *r, LLVMValueRef last, LLVMValueRef carried,
                        host_reduction *out) {
    host_reduction when = {.last = last};
    LLVMValueRef v = combination_under(r, last, carried, &when);
    if (!v)
        return false;
    if (match_combination(v, carried, out)) {
        out->last = last;
        out->block = when.block;
        out->condition = when.condition;
        out->holds = when.holds;
        return true;
    }
    *out = (host_reduction){.last = last};
    return when.block && match_branch(r, when.block, v, carried, out);
}

static bool adds_floats_under(const host_region *r, LLVMValueRef last, LLVMValueRef carried) {
    host_reduction ignored = {.last = last};
    LLVMValueRef v = combination_under(r, last, carried, &ignored);
    return adds_floats(last, carried, HOST_MAX_ADDENDS) ||
           (v && adds_floats(v, carried, HOST_MAX_ADDENDS));
}

/* The nest's loops */

/* In the loop inside, what starts as `outside` and ends an iteration as `last`; or NULL. */
static LLVMValueRef carried_in(const host_region *r, br_loop l, LLVMValueRef outside,
                               LLVMValueRef last) {
    LLVMValueRef phi = LLVMGetFirstInstruction(br_loop_header(l));
    for (; LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
        if (LLVMCountIncoming(phi) == 2 &&
            host_settled_in(r, host_incoming(phi, l, false)) == outside &&
            host_settled_in(r, host_incoming(phi, l, true)) == last)
            return phi;
    return NULL;
}

static bool refuse(host_region *r, const char *what) {
    return host_refuse(r, ST_NO_REDUCTION, what);
}

/* What a reduction starts from: the load of a cell, perhaps where cells are alone. */
typedef struct cell_start {
    LLVMValueRef load;
    LLVMValueRef phi; /* of it and a constant; or NULL */
    LLVMValueRef condition;
    bool holds; /* where the condition is that, the phi is the load */
} cell_start;

/* Is the phi the load in incoming block i, and a constant otherwise, by one branch? */
static bool match_choice(LLVMValueRef phi, unsigned i, cell_start *out) {
    LLVMBasicBlockRef there = LLVMGetIncomingBlock(phi, i), here = LLVMGetInstructionParent(phi);
    LLVMBasicBlockRef elsewhere = LLVMGetIncomingBlock(phi, 1 - i),
                      fork = host_only_predecessor(there);
    LLVMValueRef end = fork ? LLVMGetBasicBlockTerminator(fork) : NULL;
    bool forks = end && br_is_conditional(end) &&
                 (elsewhere == fork || host_only_predecessor(elsewhere) == fork);
    if (!forks || LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(there)) != 1)
        return false;
    unsigned side = LLVMGetSuccessor(end, 0) == there ? 0 : 1;
    LLVMBasicBlockRef other = LLVMGetSuccessor(end, 1 - side);
    *out = (cell_start){LLVMGetIncomingValue(phi, i), phi, LLVMGetCondition(end), side == 0};
    return LLVMGetSuccessor(end, side) == there && other == (elsewhere == fork ? here : elsewhere);
}

static bool match_start(LLVMValueRef v, cell_start *out) {
    *out = (cell_start){.load = v};
    for (unsigned i = 0; LLVMIsAPHINode(v) && LLVMCountIncoming(v) == 2 && i < 2; i++)
        if (LLVMIsAConstantFP(LLVMGetIncomingValue(v, 1 - i)) && match_choice(v, i, out))
            break;
    return LLVMIsALoadInst(out->load) && host_is_plain(out->load);
}

/* Is the load made in front of the block's end, or in the only blocks before, with nothing written
 * since? */
static bool is_just_before(const cell_start *start, LLVMBasicBlockRef end) {
    enum { MAX_BLOCKS = 4 };
    for (int i = 0; i < MAX_BLOCKS && end; i++) {
        LLVMValueRef v = LLVMGetLastInstruction(end);
        while (v && v != start->load && !br_may_write(v))
            v = LLVMGetPreviousInstruction(v);
        if (v)
            return v == start->load;
        bool chosen = start->phi && end == LLVMGetInstructionParent(start->phi);
        end = chosen ? LLVMGetInstructionParent(start->load) : host_only_predecessor(end);
    }
    return false;
}

/* Does an extreme start from its first cell, as flang's maxval does? */
static bool starts_from_first_cell(const host_region *r, LLVMValueRef phi,
                                   const host_reduction *found, cell_start *start) {
    LLVMValueRef cell = found->value;
    br_loop outermost = r->loops[r->axes - 1];
    bool is_extreme = found->op == ST_REDUCE_MAX || found->op == ST_REDUCE_MIN;
    bool of_all = !found->condition && !found->block;
    if (!is_extreme || !of_all || !r->measures || !LLVMIsALoadInst(cell) ||
        !match_start(found->initial, start) || LLVMTypeOf(start->load) != LLVMTypeOf(cell))
        return false;
    bool first_is_inside = br_loop_contains(outermost, LLVMGetIncomingBlock(phi, 0));
    br_scev first = br_scev_of(r->f, LLVMGetOperand(cell, 0));
    while (br_scev_kind(first) == BR_ADDREC &&
           br_loop_contains(outermost, br_loop_header(br_scev_loop(first))))
        first = br_scev_operand(first, 0);
    return first == br_scev_of(r->f, LLVMGetOperand(start->load, 0)) &&
           is_just_before(start, LLVMGetIncomingBlock(phi, first_is_inside));
}

/* Lets it start from no cell, since one that is among the cells adds nothing: there are cells
 * (emit_runs), and the runtime declines if one is no number. */
static bool start_from_no_cell(host_region *r, const cell_start *start, host_reduction *found) {
    double none = found->op == ST_REDUCE_MAX ? -INFINITY : INFINITY;
    LLVMValueRef condition = start->condition;
    if (condition && host_in_loop(r->outer, condition) &&
        !br_scev_invariant(r->f, br_scev_of(r->f, condition), r->outer))
        return refuse(r, "it starts from a cell under a condition");
    found->initial = LLVMConstReal(LLVMTypeOf(found->initial), none);
    found->needs_cells = true;
    return !condition || host_add_guard(r, condition, start->holds);
}

static bool is_absolute(LLVMValueRef v) {
    return v && host_calls(v, "llvm.fabs.");
}

/* Has an extreme of both sweeps the same bits, whichever is taken of two equal numbers? These may
 * be zeros of both signs. */
static bool zeros_agree(const host_reduction *first, const host_reduction *second) {
    st_type type;
    LLVMBool lossy;
    if (!host_type(LLVMTypeOf(second->last), &type) || !st_type_is_float(type) || second->keeps)
        return true;
    LLVMValueRef start = first->initial;
    return is_absolute(first->value) && is_absolute(second->value) && LLVMIsAConstantFP(start) &&
           !signbit(LLVMConstRealGetDouble(start, &lossy));
}

/* Goes the nest on from what an earlier sweep of the step has reduced in the same way? It then
 * starts from where that one does, which changes no extreme, or from 0. */
static bool goes_on(const host_region *r, host_reduction *found) {
    int which;
    LLVMValueRef from = host_settled(r->steps, found->initial);
    const host_region *before = host_reduced(r->steps, from, &which);
    const host_reduction *first = before ? &before->reductions[which] : NULL;
    if (!first || before->number >= r->number || found->op == ST_REDUCE_ORDERED ||
        first->op != found->op || first->is_signed != found->is_signed ||
        (found->op != ST_REDUCE_SUM && !zeros_agree(first, found)))
        return false;
    found->from = from;
    found->initial = found->op == ST_REDUCE_SUM ? LLVMConstNull(LLVMTypeOf(from)) : first->initial;
    return true;
}

/* Is it a sum in the program's order that begins with what another nest has summed? */
static bool adds_on(const host_region *r, const host_reduction *found) {
    int which;
    const host_region *before =
        host_reduced(r->steps, host_settled(r->steps, found->initial), &which);
    return before && before != r && found->op == ST_REDUCE_ORDERED;
}

/* The phi is at the head of the nest's outermost loop. True also if it is no reduction. */
static bool add_reduction(host_region *r, LLVMValueRef phi) {
    br_loop outermost = r->loops[r->axes - 1];
    LLVMValueRef last = host_settled_in(r, host_incoming(phi, outermost, true)), carried = phi;
    LLVMValueRef initial = host_settled_in(r, host_incoming(phi, outermost, false));
    host_reduction found;
    if (!host_in_loop(r->loops[0], last))
        return true;
    for (int i = r->axes - 2; i >= 0 && carried; i--)
        carried = carried_in(r, r->loops[i], carried, last);
    if (!carried)
        return true;
    bool matches =
        match_combination(last, carried, &found) || match_under(r, last, carried, &found);
    if (!matches && adds_floats_under(r, last, carried))
        return refuse(r, "a cell adds several floating-point numbers to it, so that the order "
                         "matters; add them up first, or leave the order free by -ffast-math, or "
                         "by -fassociative-math with -fno-signed-zeros -fno-trapping-math");
    if (!matches)
        return true;
    found.initial = initial;
    cell_start start;
    if (host_in_loop(r->steps->time, initial) && starts_from_first_cell(r, phi, &found, &start) &&
        !start_from_no_cell(r, &start, &found))
        return false;
    if (host_in_loop(r->steps->time, found.initial) && !goes_on(r, &found))
        return refuse(r, adds_on(r, &found)
                             ? "it goes on from the sum of another nest of the step; add up in a "
                               "variable of its own for each nest, or leave the order free by "
                               "-ffast-math"
                             : "it does not start anew in each time step");
    if (r->nreductions == HOST_MAX_REDUCTIONS)
        return refuse(r, "there are more than 8 in a sweep");
    r->reductions = realloc(r->reductions, ((size_t)r->nreductions + 1) * sizeof found);
    r->reductions[r->nreductions++] = found;
    return true;
}

bool host_find_reductions(host_region *r) {
    r->nreductions = 0;
    if (r->axes == 0 || r->copies)
        return true;
    br_loop l = r->loops[r->axes - 1];
    LLVMValueRef phi = LLVMGetFirstInstruction(br_loop_header(l));
    for (; LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
        st_type type;
        bool counts = host_type(LLVMTypeOf(phi), &type) && !st_type_is_float(type) &&
                      br_scev_kind(br_scev_of(r->f, phi)) == BR_ADDREC;
        if (counts || LLVMCountIncoming(phi) != 2 || !host_type(LLVMTypeOf(phi), &type))
            continue;
        if (type == ST_I1)
            continue;
        if (!add_reduction(r, phi))
            return false;
    }
    return true;
}
