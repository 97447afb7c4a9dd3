/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A condition in front of a loop under which comparisons in the loop come out as wanted, whatever
 * the iteration.
 *
 * What is compared must be a sum of multiples of the loops' counters. The condition computes the
 * least and the greatest difference of both sides, in 128 bits, which cannot overflow: the loops'
 * counts are limited. Numbers of fewer bits are equal to these if they are in the range of their
 * type, which the condition includes. A limit that goes round with the time loop, as the size of
 * one of two exchanged vectors, is compared with all values that it takes.
 */
#include "prepare/guard.h"
#include "detect/common/calls.h"
#include "detect/common/flow.h"

enum {
    MAX_LOOPS = GUARD_MAX_LOOPS,
    MAX_TURNS = 4,
    MAX_PARTS = 8,
    MOST_BITS = 124, /* of a sum; two more for the sign and a difference */
    LEAST_BITS = 20, /* of the greatest number of iterations */
    GREATEST_BITS = 40
};

/* base + the sum of step * counter; `bits` are those of the largest of them. */
typedef struct form {
    LLVMValueRef base, step[MAX_LOOPS];
    unsigned bits;
} form;

/* Numbers */

static void require(prep_guard *g, LLVMValueRef condition) {
    g->all = g->all ? LLVMBuildAnd(g->b, g->all, condition, "") : condition;
}

static LLVMValueRef number(const prep_guard *g, int64_t n) {
    return LLVMConstInt(g->wide, (uint64_t)n, true);
}

static LLVMValueRef power(const prep_guard *g, unsigned bits) {
    uint64_t words[2] = {bits < 64 ? UINT64_C(1) << bits : 0,
                         bits < 64 ? 0 : UINT64_C(1) << (bits - 64)};
    return LLVMConstIntOfArbitraryPrecision(g->wide, 2, words);
}

LLVMValueRef prep_guard_number(prep_guard *g, br_scev s) {
    LLVMContextRef context = LLVMGetTypeContext(g->wide);
    bool is_pointer = br_scev_is_pointer(s);
    LLVMTypeRef type = is_pointer ? LLVMPointerTypeInContext(context, 0)
                                  : LLVMIntTypeInContext(context, br_scev_bits(g->f, s));
    if (br_scev_bits(g->f, s) > 64 || !br_scev_expandable(g->f, s, g->in_front))
        return NULL;
    LLVMValueRef v = br_scev_expand(g->f, s, type, g->in_front);
    LLVMPositionBuilderBefore(g->b, g->in_front);
    v = LLVMBuildFreeze(g->b, v, ""); /* the program may not come to it */
    if (is_pointer)
        v = LLVMBuildPtrToInt(g->b, v, LLVMInt64TypeInContext(context), "");
    return LLVMBuildSExt(g->b, v, g->wide, "");
}

/* The number of a loop whose counter is in a check; -1: its count is not known in front. */
static int loop_number(prep_guard *g, br_loop l) {
    for (int i = 0; i < g->loops; i++)
        if (g->loop[i] == l)
            return i;
    br_scev back = br_backedge_count(g->f, l);
    if (g->loops == MAX_LOOPS || !back || !br_scev_invariant(g->f, back, g->l) ||
        br_scev_bits(g->f, back) > 64)
        return -1;
    LLVMValueRef v = prep_guard_number(g, br_scev_zext(g->f, back, 64));
    if (!v)
        return -1;
    if (host_tests_first(l)) /* and makes no check when it goes round for the last time */
        v = LLVMBuildSelect(g->b, LLVMBuildICmp(g->b, LLVMIntEQ, v, number(g, 0), ""), v,
                            LLVMBuildSub(g->b, v, number(g, 1), ""), "");
    g->loop[g->loops] = l;
    g->back[g->loops] = v;
    return g->loops++;
}

/* Sums */

static void add_to(const prep_guard *g, LLVMValueRef *sum, LLVMValueRef more) {
    if (more)
        *sum = *sum ? LLVMBuildAdd(g->b, *sum, more, "") : more;
}

/* The least or the greatest number that the sum comes to. */
static LLVMValueRef end_of(const prep_guard *g, const form *x, bool greatest) {
    LLVMValueRef sum = x->base, zero = number(g, 0);
    for (int i = 0; i < MAX_LOOPS; i++) {
        if (!x->step[i])
            continue;
        LLVMValueRef away = LLVMBuildMul(g->b, x->step[i], g->back[i], "");
        LLVMValueRef counts =
            LLVMBuildICmp(g->b, greatest ? LLVMIntSGT : LLVMIntSLT, away, zero, "");
        sum = LLVMBuildAdd(g->b, sum, LLVMBuildSelect(g->b, counts, away, zero, ""), "");
    }
    return sum;
}

/* The sum does not overflow if no loop goes round more often than is required here. */
static bool limit_counts(prep_guard *g, const form *x) {
    unsigned bits = MOST_BITS - 2 - (x->bits < MOST_BITS ? x->bits : MOST_BITS - 2);
    if (bits < LEAST_BITS)
        return false;
    bits = bits < GREATEST_BITS ? bits : GREATEST_BITS;
    for (int i = 0; i < g->loops; i++)
        if (x->step[i])
            require(g, LLVMBuildICmp(g->b, LLVMIntULT, g->back[i], power(g, bits), ""));
    return true;
}

/* Requires that it is a number of so many bits, wherever the loops are. */
static bool require_range(prep_guard *g, const form *x, unsigned bits, bool is_signed) {
    if (!limit_counts(g, x))
        return false;
    LLVMValueRef least = is_signed ? LLVMConstNeg(power(g, bits - 1)) : number(g, 0);
    LLVMValueRef most = power(g, is_signed ? bits - 1 : bits);
    require(g, LLVMBuildICmp(g->b, LLVMIntSGE, end_of(g, x, false), least, ""));
    require(g, LLVMBuildICmp(g->b, LLVMIntSLT, end_of(g, x, true), most, ""));
    return true;
}

static bool find_form(prep_guard *g, br_scev s, form *out);
static bool base_form(prep_guard *g, form *out);

static bool add_parts(prep_guard *g, br_scev s, form *out) {
    form part;
    if (!find_form(g, br_scev_operand(s, 0), out))
        return false;
    for (size_t k = 1; k < br_scev_count(s); k++) {
        if (!find_form(g, br_scev_operand(s, k), &part))
            return false;
        add_to(g, &out->base, part.base);
        for (int i = 0; i < MAX_LOOPS; i++)
            add_to(g, &out->step[i], part.step[i]);
        out->bits = 1 + (out->bits > part.bits ? out->bits : part.bits);
    }
    return true;
}

/* Of the factors one has counters. */
static bool multiply(prep_guard *g, br_scev s, form *out) {
    form part;
    if (!find_form(g, br_scev_operand(s, 0), out))
        return false;
    for (size_t k = 1; k < br_scev_count(s); k++) {
        bool moves = false;
        for (int i = 0; i < MAX_LOOPS; i++)
            moves |= out->step[i] != NULL;
        form by = *out;
        if (!find_form(g, br_scev_operand(s, k), &part))
            return false;
        if (!moves)
            *out = part;
        else
            by = part;
        for (int i = 0; i < MAX_LOOPS; i++) {
            if (moves && part.step[i])
                return false;
            out->step[i] = out->step[i] ? LLVMBuildMul(g->b, out->step[i], by.base, "") : NULL;
        }
        out->base = LLVMBuildMul(g->b, out->base, by.base, "");
        out->bits += moves ? part.bits : by.bits;
        if (out->bits > MOST_BITS)
            return false;
    }
    return true;
}

static bool recurrence(prep_guard *g, br_scev s, form *out) {
    if (br_scev_count(s) != 2 || !br_loop_contains(g->l, br_loop_header(br_scev_loop(s))) ||
        !find_form(g, br_scev_operand(s, 0), out) ||
        !br_scev_invariant(g->f, br_scev_operand(s, 1), g->l))
        return false;
    int l = loop_number(g, br_scev_loop(s));
    LLVMValueRef step = l < 0 ? NULL : prep_guard_number(g, br_scev_operand(s, 1));
    if (!step)
        return false;
    unsigned bits = br_scev_bits(g->f, s);
    add_to(g, &out->step[l], step);
    out->bits = 1 + (out->bits > bits ? out->bits : bits);
    return true;
}

static bool subtract(prep_guard *g, form *x, const form *y) {
    x->base = LLVMBuildSub(g->b, x->base, y->base, "");
    for (int i = 0; i < MAX_LOOPS; i++)
        if (y->step[i])
            x->step[i] = LLVMBuildSub(g->b, x->step[i] ? x->step[i] : number(g, 0), y->step[i], "");
    x->bits = 1 + (x->bits > y->bits ? x->bits : y->bits);
    return limit_counts(g, x);
}

/* Of two numbers the one that does not change, if it is always the greater one, which is required.
 * LLVM so tests all indices of a row at once. */
static bool greater(prep_guard *g, br_scev s, form *out) {
    bool is_signed = br_scev_kind(s) == BR_SMAX;
    bool first = br_scev_invariant(g->f, br_scev_operand(s, 0), g->l);
    form other, more;
    if (br_scev_count(s) != 2 || !find_form(g, br_scev_operand(s, !first), out) ||
        !find_form(g, br_scev_operand(s, first), &other) ||
        !require_range(g, out, br_scev_bits(g->f, s), is_signed) ||
        !require_range(g, &other, br_scev_bits(g->f, s), is_signed))
        return false;
    more = *out;
    if (!subtract(g, &more, &other))
        return false;
    LLVMValueRef least = end_of(g, &more, false);
    require(g, LLVMBuildICmp(g->b, LLVMIntSGE, least, number(g, 0), ""));
    return true;
}

/* What it is modulo two to the power of its bits. */
static bool find_form(prep_guard *g, br_scev s, form *out) {
    enum br_scev_kind kind = br_scev_kind(s);
    *out = (form){.bits = br_scev_bits(g->f, s)};
    if (kind == BR_CONSTANT || br_scev_invariant(g->f, s, g->l)) {
        out->base = prep_guard_number(g, s);
        return out->base != NULL;
    }
    switch (kind) {
    case BR_ADD:
        return add_parts(g, s, out);
    case BR_MUL:
        return multiply(g, s, out);
    case BR_ADDREC:
        return recurrence(g, s, out);
    case BR_UMAX:
    case BR_SMAX:
        return greater(g, s, out);
    case BR_TRUNC:
        return find_form(g, br_scev_operand(s, 0), out);
    case BR_ZEXT:
    case BR_SEXT:
        return find_form(g, br_scev_operand(s, 0), out) &&
               require_range(g, out, br_scev_bits(g->f, br_scev_operand(s, 0)), kind == BR_SEXT);
    case BR_UNKNOWN:
        return g->base && br_scev_value(s) == g->base && base_form(g, out);
    default:
        return false;
    }
}

/* Values that go round with the time loop */

static bool goes_round(const prep_guard *g, LLVMValueRef v) {
    return LLVMIsAPHINode(v) && host_is_at_head(g->l, v);
}

static bool is_pure(LLVMValueRef v) {
    LLVMOpcode op = LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : LLVMRet;
    return op == LLVMAdd || op == LLVMSub || op == LLVMMul || op == LLVMShl || op == LLVMAShr ||
           op == LLVMLShr || op == LLVMPtrToInt || op == LLVMTrunc || op == LLVMSExt ||
           op == LLVMZExt || (op == LLVMGetElementPtr && LLVMGetNumOperands(v) == 2);
}

static LLVMValueRef copy_in_turn(prep_guard *g, LLVMValueRef v, const LLVMValueRef *part) {
    LLVMValueRef copy = LLVMInstructionClone(v);
    for (int i = 0; i < LLVMGetNumOperands(v); i++)
        LLVMSetOperand(copy, (unsigned)i, part[i]);
    br_drop_promises(copy);
    br_drop_annotations(copy);
    LLVMPositionBuilderBefore(g->b, g->in_front);
    LLVMInsertIntoBuilder(g->b, copy);
    return copy;
}

/* A copy, in front of the loop, of what is computed of such values: as it is in a step. NULL: it
 * is computed otherwise. */
static LLVMValueRef in_turn(prep_guard *g, LLVMValueRef v, int turn, int depth) {
    if (!host_in_loop(g->l, v))
        return v;
    if (goes_round(g, v)) {
        bool first = turn == 0;
        LLVMValueRef from = LLVMCountIncoming(v) == 2 ? host_incoming(v, g->l, !first) : NULL;
        return first || !from ? from : in_turn(g, from, turn - 1, depth);
    }
    LLVMValueRef part[2] = {NULL, NULL};
    if (!is_pure(v) || depth == MAX_PARTS)
        return NULL;
    for (int i = 0; i < LLVMGetNumOperands(v); i++)
        if (!(part[i] = in_turn(g, LLVMGetOperand(v, (unsigned)i), turn, depth + 1)))
            return NULL;
    return copy_in_turn(g, v, part);
}

/* After how many steps does the value of a phi come back with which the loop starts? */
static int turns_of_phi(const prep_guard *g, LLVMValueRef phi) {
    LLVMValueRef next = phi;
    for (int n = 1; n <= MAX_TURNS && LLVMCountIncoming(next) == 2; n++) {
        next = host_incoming(next, g->l, true);
        if (next == phi)
            return n;
        if (!host_in_loop(g->l, next) || !goes_round(g, next))
            return 0;
    }
    return 0;
}

/* The same for what is computed of such phis. 0: the values do not come back. */
static int period_of(const prep_guard *g, LLVMValueRef v, int depth) {
    if (!host_in_loop(g->l, v))
        return 1;
    if (goes_round(g, v))
        return turns_of_phi(g, v);
    int all = is_pure(v) && depth < MAX_PARTS;
    for (int i = 0; all > 0 && i < LLVMGetNumOperands(v); i++) {
        int own = period_of(g, LLVMGetOperand(v, (unsigned)i), depth + 1);
        bool fits = own > 0 && (own % all == 0 || all % own == 0);
        all = !fits ? 0 : own > all ? own : all;
    }
    return all;
}

/* After how many steps does it not change any more, as the end of a vector that each step assigns?
 * 0: it never does. -1: that is not known. */
static int settles_after(const prep_guard *g, LLVMValueRef v, int depth) {
    if (!host_in_loop(g->l, v))
        return 0;
    bool round = goes_round(g, v) && LLVMCountIncoming(v) == 2;
    LLVMValueRef next = round ? host_incoming(v, g->l, true) : NULL;
    if (next == v)
        return 0;
    int most = depth < MAX_PARTS && (next || is_pure(v)) ? 0 : -1;
    for (int i = 0; most >= 0 && i < (next ? 1 : LLVMGetNumOperands(v)); i++) {
        LLVMValueRef part = next ? next : LLVMGetOperand(v, (unsigned)i);
        int own = settles_after(g, part, depth + 1);
        most = own < 0 ? -1 : own > most ? own : most;
    }
    return most < 0 || !next ? most : most + 1;
}

/* Where the array is in the step that is looked at. */
static bool base_form(prep_guard *g, form *out) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetTypeContext(g->wide));
    LLVMValueRef now = in_turn(g, g->base, g->turn, 0);
    if (!now)
        return false;
    LLVMPositionBuilderBefore(g->b, g->in_front);
    now = LLVMBuildFreeze(g->b, LLVMBuildPtrToInt(g->b, now, i64, ""), "");
    *out = (form){.base = LLVMBuildSExt(g->b, now, g->wide, ""), .bits = 64};
    return true;
}

/* The value in the step that is looked at. */
static bool value_form(prep_guard *g, LLVMValueRef v, form *out) {
    if (find_form(g, br_scev_of(g->f, v), out))
        return true;
    bool known = g->settled ? settles_after(g, v, 0) >= 0 : period_of(g, v, 0) > 0;
    LLVMValueRef now = known ? in_turn(g, v, g->turn, 0) : NULL;
    LLVMPositionBuilderBefore(g->b, g->in_front);
    if (!now || LLVMGetTypeKind(LLVMTypeOf(now)) != LLVMIntegerTypeKind ||
        LLVMGetIntTypeWidth(LLVMTypeOf(now)) > 64)
        return false;
    now = LLVMBuildFreeze(g->b, now, "");
    *out = (form){.base = LLVMBuildSExt(g->b, now, g->wide, ""),
                  .bits = LLVMGetIntTypeWidth(LLVMTypeOf(now))};
    return true;
}

/* Conditions */

static bool is_signed(LLVMIntPredicate p) {
    return p == LLVMIntSLT || p == LLVMIntSLE || p == LLVMIntSGT || p == LLVMIntSGE;
}

static LLVMIntPredicate inverse(LLVMIntPredicate p) {
    static const LLVMIntPredicate of[][2] = {{LLVMIntEQ, LLVMIntNE},
                                             {LLVMIntULT, LLVMIntUGE},
                                             {LLVMIntULE, LLVMIntUGT},
                                             {LLVMIntSLT, LLVMIntSGE},
                                             {LLVMIntSLE, LLVMIntSGT}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        for (int k = 0; k < 2; k++)
            if (of[i][k] == p)
                return of[i][1 - k];
    return p;
}

/* Requires of the difference of both sides what the comparison does. */
static void require_difference(prep_guard *g, LLVMIntPredicate p, const form *x) {
    bool less = p == LLVMIntULT || p == LLVMIntSLT || p == LLVMIntULE || p == LLVMIntSLE;
    bool more = p == LLVMIntUGT || p == LLVMIntSGT || p == LLVMIntUGE || p == LLVMIntSGE;
    bool even = p == LLVMIntULE || p == LLVMIntSLE || p == LLVMIntUGE || p == LLVMIntSGE;
    LLVMValueRef zero = number(g, 0), low = end_of(g, x, false), high = end_of(g, x, true);
    LLVMValueRef below =
        LLVMBuildICmp(g->b, even || p == LLVMIntEQ ? LLVMIntSLE : LLVMIntSLT, high, zero, "");
    LLVMValueRef above =
        LLVMBuildICmp(g->b, even || p == LLVMIntEQ ? LLVMIntSGE : LLVMIntSGT, low, zero, "");
    if (less)
        require(g, below);
    else if (more)
        require(g, above);
    else if (p == LLVMIntEQ)
        require(g, LLVMBuildAnd(g->b, below, above, ""));
    else
        require(g, LLVMBuildOr(g->b, below, above, ""));
}

static bool require_comparison(prep_guard *g, LLVMValueRef v, bool holds) {
    LLVMIntPredicate p = LLVMGetICmpPredicate(v);
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(v, 0));
    form x, y;
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) > 64)
        return false;
    unsigned bits = LLVMGetIntTypeWidth(type);
    p = holds ? p : inverse(p);
    if (!value_form(g, LLVMGetOperand(v, 0), &x) || !value_form(g, LLVMGetOperand(v, 1), &y) ||
        !require_range(g, &x, bits, is_signed(p)) || !require_range(g, &y, bits, is_signed(p)))
        return false;
    if (!subtract(g, &x, &y))
        return false;
    require_difference(g, p, &x);
    return true;
}

/* Also `a and b`, which holds, and `a or b`, which does not. */
static bool require_condition(prep_guard *g, LLVMValueRef v, bool holds, int depth) {
    LLVMOpcode op = LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : LLVMRet;
    if (LLVMIsAICmpInst(v))
        return require_comparison(g, v, holds);
    LLVMValueRef other = op == LLVMSelect ? LLVMGetOperand(v, holds ? 2 : 1) : NULL;
    bool chooses =
        other && LLVMIsAConstantInt(other) && (LLVMConstIntGetZExtValue(other) != 0) == !holds;
    if (depth == MAX_PARTS || (!chooses && op != (holds ? LLVMAnd : LLVMOr)))
        return false;
    return require_condition(g, LLVMGetOperand(v, 0), holds, depth + 1) &&
           require_condition(g, LLVMGetOperand(v, chooses && !holds ? 2 : 1), holds, depth + 1);
}

/* Of what a check compares, as for period_of; at least 1. */
static int turns_of(const prep_guard *g, LLVMValueRef v, int depth) {
    bool compares = LLVMIsAICmpInst(v);
    int most = 1;
    if (!LLVMIsAInstruction(v) || !host_is_bit(v) || depth == MAX_PARTS)
        return most;
    for (int i = 0; i < LLVMGetNumOperands(v); i++) {
        LLVMValueRef part = LLVMGetOperand(v, (unsigned)i);
        int own = compares ? period_of(g, part, 0) : turns_of(g, part, depth + 1);
        most = own > most ? own : most;
    }
    return most;
}

static bool holds_in(prep_guard *g, LLVMValueRef condition, bool holds, int turns) {
    bool good = true;
    g->loops = 0;
    for (g->turn = 0; g->turn < turns && good; g->turn++)
        good = require_condition(g, condition, holds, 0);
    return good;
}

/* The steps in which both sides of a comparison settle; 0: they do not change so. */
static int settling_steps(const prep_guard *g, LLVMValueRef condition) {
    if (!LLVMIsAICmpInst(condition))
        return 0;
    int a = settles_after(g, LLVMGetOperand(condition, 0), 0);
    int b = settles_after(g, LLVMGetOperand(condition, 1), 0);
    return a < 0 || b < 0 ? 0 : a > b ? a : b;
}

bool prep_guard_holds(prep_guard *g, LLVMValueRef condition, bool holds) {
    int steps = settling_steps(g, condition);
    g->settled = steps > 0;
    bool good = holds_in(g, condition, holds, steps > 0 ? steps + 1 : turns_of(g, condition, 0));
    g->settled = false;
    return good;
}

/* Loads that are made in front of the copy */

static int64_t bytes_of(LLVMValueRef access) {
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(access));
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(function));
    bool stores = LLVMIsAStoreInst(access);
    LLVMTypeRef type = LLVMTypeOf(stores ? LLVMGetOperand(access, 0) : access);
    return (int64_t)LLVMStoreSizeOfType(layout, type);
}

/* The bytes from *low to before *high have all that the load or store accesses. */
static bool find_bytes(prep_guard *g, LLVMValueRef access, LLVMValueRef *low, LLVMValueRef *high) {
    form at;
    LLVMValueRef address = LLVMGetOperand(access, LLVMIsAStoreInst(access) ? 1 : 0);
    if (!find_form(g, br_scev_of(g->f, address), &at) || !limit_counts(g, &at))
        return false;
    *low = end_of(g, &at, false);
    *high = end_of(g, &at, true);
    *high = LLVMBuildAdd(g->b, *high, number(g, bytes_of(access)), "");
    return true;
}

static void require_outside(prep_guard *g, LLVMValueRef low[2], LLVMValueRef high[2]) {
    LLVMValueRef before = LLVMBuildICmp(g->b, LLVMIntSLE, high[0], low[1], "");
    LLVMValueRef behind = LLVMBuildICmp(g->b, LLVMIntSLE, high[1], low[0], "");
    require(g, LLVMBuildOr(g->b, before, behind, ""));
}

/* Looks at the array that the load or store accesses: in how many steps it may be another one. 0:
 * that is not known. */
static int look_at_array(prep_guard *g, LLVMValueRef access) {
    LLVMValueRef base = host_base_of(LLVMGetOperand(access, LLVMIsAStoreInst(access) ? 1 : 0));
    g->base = goes_round(g, base) && LLVMGetTypeKind(LLVMTypeOf(base)) == LLVMPointerTypeKind
                  ? base
                  : NULL;
    return g->base ? turns_of_phi(g, base) : 1;
}

bool prep_guard_apart(prep_guard *g, LLVMValueRef access, LLVMValueRef other) {
    LLVMValueRef low, high;
    g->loops = 0;
    return look_at_array(g, other) == 1 && find_bytes(g, other, &low, &high) &&
           prep_guard_outside(g, access, low, high);
}

bool prep_guard_outside(prep_guard *g, LLVMValueRef store, LLVMValueRef low, LLVMValueRef high) {
    LLVMValueRef least[2] = {NULL, low}, end[2] = {NULL, high};
    int turns = look_at_array(g, store);
    bool good = turns > 0;
    g->loops = 0;
    for (g->turn = 0; g->turn < turns && good; g->turn++) {
        good = find_bytes(g, store, &least[0], &end[0]);
        if (good)
            require_outside(g, least, end);
    }
    g->base = NULL;
    return good;
}

bool prep_guard_unchanged(prep_guard *g, LLVMValueRef load) {
    LLVMBasicBlockRef block;
    for (size_t b = 0; (block = br_loop_block(g->l, b)); b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            if (br_may_write(i) && br_may_ever_change(g->f, i, load) &&
                (!LLVMIsAStoreInst(i) || !prep_guard_apart(g, i, load)))
                return false;
    return true;
}

LLVMValueRef prep_guard_multiple(prep_guard *g, LLVMValueRef number, uint64_t power) {
    LLVMTypeRef type = LLVMTypeOf(number);
    LLVMValueRef by = LLVMConstInt(type, power, false);
    LLVMPositionBuilderBefore(g->b, g->in_front);
    LLVMValueRef known = LLVMBuildFreeze(g->b, number, "");
    LLVMValueRef rest = LLVMBuildURem(g->b, known, by, "");
    require(g, LLVMBuildICmp(g->b, LLVMIntEQ, rest, LLVMConstNull(type), ""));
    return LLVMBuildNUWMul(g->b, LLVMBuildUDiv(g->b, known, by, ""), by, "");
}

/* In each step until it settles. */
static bool equal_in_steps(prep_guard *g, LLVMValueRef number, LLVMValueRef other) {
    LLVMPositionBuilderBefore(g->b, LLVMGetNextInstruction(number));
    LLVMValueRef same = LLVMBuildICmp(g->b, LLVMIntEQ, number, other, "");
    bool good = LLVMIsAICmpInst(same) && settling_steps(g, same) > 0;
    good = good && prep_guard_holds(g, same, true);
    if (LLVMIsAICmpInst(same))
        LLVMInstructionEraseFromParent(same);
    return good;
}

/* The other number is not frozen: its factors would lose what LLVM knows of them. */
LLVMValueRef prep_guard_equal(prep_guard *g, LLVMValueRef number, LLVMValueRef other,
                              LLVMValueRef pointer) {
    LLVMTypeRef type = LLVMTypeOf(number);
    br_scev s = br_scev_of(g->f, other);
    if (LLVMTypeOf(other) != type || !br_scev_expandable(g->f, s, g->in_front))
        return NULL;
    LLVMValueRef v = br_scev_expand(g->f, s, type, g->in_front);
    if (host_in_loop(g->l, number))
        return equal_in_steps(g, number, v) ? v : NULL;
    LLVMPositionBuilderBefore(g->b, g->in_front);
    LLVMValueRef same = LLVMBuildICmp(g->b, LLVMIntEQ, LLVMBuildFreeze(g->b, number, ""), v, "");
    LLVMValueRef there = LLVMBuildIsNotNull(g->b, LLVMBuildFreeze(g->b, pointer, ""), "");
    LLVMValueRef never = LLVMConstNull(LLVMTypeOf(same));
    require(g, LLVMBuildSelect(g->b, there, same, never, ""));
    return v;
}
