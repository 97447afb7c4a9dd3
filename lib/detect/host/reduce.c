/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Maxima, minima and sums over the cells of a sweep, in time loops of several sweeps or of one; and
 * what is known at the end of a time step, such as whether the time loop goes on. A reduction is a
 * value carried through all loops of the nest, and legal when
 *   1. each iteration of the innermost loop makes it the extreme of itself and a value of the cell,
 *      or adds that, and does nothing else with it;
 *   2. it starts, in each time step, from a value that does not change in the time loop;
 *   3. the order of the cells does not matter: integers are added, or floating-point numbers
 *      compared, where the runtime declines if there are NaNs, or zeros of both signs; or
 *      floating-point numbers are added where the program leaves the order free, by the flags
 *      reassoc and nsz of all additions.
 *
 * At the end of a step reductions are known, what does not change in the time loop, what changes by
 * the same in each step, numbers that are carried from step to step (follow.c), and what is
 * computed of these.
 */
#include "detect/host/host.h"

#include <string.h>

enum { MAX_TAIL = ST_LIMIT(60, 3) }; /* instructions that a value after a step is computed of */

/* Values at joins */

static bool is_nest_head(const host_region *r, LLVMBasicBlockRef block) {
    bool head = block == br_loop_header(r->steps->time);
    for (int i = 0; i < r->axes; i++)
        head |= block == br_loop_header(r->loops[i]);
    return head;
}

/* Of a phi, the value of the one edge that is taken where the sweep runs; or NULL. */
static LLVMValueRef only_incoming(const host_region *r, LLVMValueRef phi) {
    LLVMValueRef only = NULL;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        LLVMValueRef v = LLVMGetIncomingValue(phi, i);
        if (!host_edge_taken(r->steps->time, r->guards, r->nguards, from,
                             LLVMGetInstructionParent(phi)))
            continue;
        if (only && only != v)
            return NULL;
        only = v;
    }
    return only;
}

/* What the value is where the sweep runs: through phis that join branches or leave loops. */
static LLVMValueRef settled(const host_region *r, LLVMValueRef v) {
    while (LLVMIsAPHINode(v) && host_in_loop(r->steps->time, v) &&
           !is_nest_head(r, LLVMGetInstructionParent(v))) {
        LLVMValueRef only = only_incoming(r, v);
        if (!only)
            break;
        v = only;
    }
    return v;
}

static LLVMValueRef incoming(LLVMValueRef phi, br_loop l, bool from_latch) {
    bool first = LLVMGetIncomingBlock(phi, 0) == br_loop_latch(l);
    return LLVMGetIncomingValue(phi, first == from_latch ? 0 : 1);
}

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

/* x > y ? x : y and its like; which of equal ones it takes does not matter, but for zeros. */
static bool match_select(LLVMValueRef v, LLVMValueRef carried, host_reduction *out) {
    LLVMValueRef compare = LLVMGetOperand(v, 0);
    LLVMValueRef yes = LLVMGetOperand(v, 1), no = LLVMGetOperand(v, 2);
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
    return true;
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

/* v = carried and another value, in one of these ways. */
static bool match_combination(LLVMValueRef v, LLVMValueRef carried, host_reduction *out) {
    *out = (host_reduction){.last = v, .op = ST_REDUCE_SUM};
    if (match_sum(v, carried, out))
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

static bool adds_floats(LLVMValueRef v, LLVMValueRef carried) {
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    bool adds = op == LLVMFAdd || op == LLVMFSub;
    bool call = LLVMIsACallInst(v) != NULL; /* fmuladd */
    return (adds && (LLVMGetOperand(v, 0) == carried || LLVMGetOperand(v, 1) == carried)) ||
           (call && LLVMGetNumArgOperands(v) == 3 && LLVMGetOperand(v, 2) == carried);
}

/* The nest's loops */

/* In the loop inside, what starts as `outside` and ends an iteration as `last`; or NULL. */
static LLVMValueRef carried_in(const host_region *r, br_loop l, LLVMValueRef outside,
                               LLVMValueRef last) {
    LLVMValueRef phi = LLVMGetFirstInstruction(br_loop_header(l));
    for (; LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
        if (LLVMCountIncoming(phi) == 2 && settled(r, incoming(phi, l, false)) == outside &&
            settled(r, incoming(phi, l, true)) == last)
            return phi;
    return NULL;
}

static bool refuse(host_region *r, const char *what) {
    return host_refuse(r, ST_NO_REDUCTION, what);
}

/* The phi is at the head of the nest's outermost loop. True also if it is no reduction. */
static bool add_reduction(host_region *r, LLVMValueRef phi) {
    br_loop outermost = r->loops[r->axes - 1];
    LLVMValueRef last = settled(r, incoming(phi, outermost, true)), carried = phi;
    LLVMValueRef initial = settled(r, incoming(phi, outermost, false));
    host_reduction found;
    if (!host_in_loop(r->loops[0], last))
        return true;
    for (int i = r->axes - 2; i >= 0 && carried; i--)
        carried = carried_in(r, r->loops[i], carried, last);
    if (!carried)
        return true;
    bool matches = match_combination(last, carried, &found);
    if (!matches && adds_floats(last, carried))
        return refuse(r, "floating-point numbers are added up, so that the order of the cells "
                         "matters; -ffast-math, or -fassociative-math with -fno-signed-zeros "
                         "-fno-trapping-math, leaves it free");
    if (!matches)
        return true;
    if (host_in_loop(r->steps->time, initial))
        return refuse(r, "it does not start anew in each time step");
    if (r->nreductions == HOST_MAX_REDUCTIONS)
        return refuse(r, "there are more than 8 in a sweep");
    found.initial = initial;
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

LLVMValueRef host_settled(const host_steps *s, LLVMValueRef v) {
    LLVMValueRef before = NULL;
    while (before != v) {
        before = v;
        for (int i = 0; i < s->count; i++)
            v = settled(s->sweeps[i], v);
    }
    return v;
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

/* A division may trap where the program does not come to it, but for some divisors. */
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

bool host_is_pure(const host_steps *s, LLVMValueRef v) {
    return !in_nest(s, v) && is_pure(v);
}

static bool known(const host_steps *s, LLVMValueRef v, int *visited) {
    st_type type;
    int number;
    v = host_settled(s, v);
    if (++*visited > MAX_TAIL)
        return false;
    if (!LLVMIsAInstruction(v) || !host_in_loop(s->time, v))
        return LLVMIsConstant(v) || host_type(LLVMTypeOf(v), &type);
    if (host_reduced(s, v, &number) || host_is_counter(s, v) || host_carry(s, v))
        return true;
    if (!host_is_pure(s, v))
        return false;
    int count = LLVMIsACallInst(v) ? (int)LLVMGetNumArgOperands(v) : LLVMGetNumOperands(v);
    bool all = true;
    for (int i = 0; i < count && all; i++)
        all = known(s, LLVMGetOperand(v, (unsigned)i), visited);
    return all;
}

bool host_known_after_step(const host_steps *s, LLVMValueRef v) {
    int visited = 0, before = s->carried->count;
    if (known(s, v, &visited))
        return true;
    s->carried->count = before;
    return false;
}

LLVMValueRef host_exit_branch(const host_steps *s, int exit, bool *leaves) {
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(s->exiting[exit]);
    *leaves = !br_loop_contains(s->time, LLVMGetSuccessor(branch, 0));
    return branch;
}

/* Where all sweeps run: a loop may also be left where they would not. */
static bool leaves(const host_steps *s, LLVMBasicBlockRef block) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    bool out = false;
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
        out |= !br_loop_contains(s->time, LLVMGetSuccessor(end, i)) &&
               host_edge_taken(s->time, s->guards, s->nguards, block, LLVMGetSuccessor(end, i));
    return out;
}

/* In the order in which each step comes to all of them. */
static bool add_exit(host_steps *s, LLVMBasicBlockRef block) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    bool one = LLVMIsABranchInst(end) && LLVMIsConditional(end) &&
               host_passes_under(s->time, s->guards, s->nguards, block);
    int at = s->nexits;
    if (!one || s->nexits == HOST_MAX_EXITS)
        return false;
    for (; at > 0 && host_comes_before(s->time, block, s->exiting[at - 1]); at--)
        s->exiting[at] = s->exiting[at - 1];
    s->exiting[at] = block;
    s->nexits++;
    return true;
}

bool host_find_exits(host_steps *s) {
    LLVMBasicBlockRef blocks[HOST_MAX_OUTER_BLOCKS];
    size_t count = br_loop_blocks(s->time, blocks, HOST_MAX_OUTER_BLOCKS);
    s->nexits = 0;
    for (size_t b = 0; b < count && b < HOST_MAX_OUTER_BLOCKS; b++)
        if (leaves(s, blocks[b]) && !add_exit(s, blocks[b]))
            return false;
    return count <= HOST_MAX_OUTER_BLOCKS && s->nexits > 0;
}

bool host_is_asked(const host_steps *s) {
    return s->stops || s->carried->follows;
}

bool host_is_checked(const host_steps *s) {
    bool reduces = host_is_asked(s);
    for (int i = 0; i < s->count; i++)
        reduces |= s->sweeps[i]->nreductions > 0;
    return reduces;
}
