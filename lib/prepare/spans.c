/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Twins of loop nests whose loops run over a part of an array that is known only when the
 * program runs, and that bring indices back at the ends of the whole array:
 *
 *     for (i = first; i < last; i++)                      if (first == 0 && last == n)
 *         west = i == 0 ? n - 1 : i - 1;        ->            for (i = 0; i < n; i++) ..
 *                                                         else the nest as it was
 *
 * Where the loops begin and end, the comparisons are neither always true nor always false, so the
 * indices follow no rule. In the twin the loops go from end to end. What the ends are is told by
 * what counters are compared with: constants at the first end, numbers at the last one.
 */
#include "prepare/spans.h"
#include "detect/common/calls.h"
#include "detect/common/flow.h"
#include "prepare/apart.h"
#include "prepare/checks.h"
#include "prepare/sequence.h"
#include "prepare/version.h"

#include <stdlib.h>

enum { MAX_FIRST = 4, MAX_JOINS = 2, MAX_LOOPS = 256 };

typedef struct nest_span {
    prep_fixed fixed[PREP_MAX_FIXED];
    int count;
} nest_span;

/* A loop's counter, and what is known of its ends. */
typedef struct span_counter {
    br_loop l, outer;
    LLVMValueRef phi, sum;     /* OpenMP counts from 0: there the counter is phi + first */
    LLVMValueRef first, last;  /* NULL: it is a constant, or not found */
    int64_t to_first, to_last; /* what is added to `first`, and to `last` where it is left */
    bool has_low, has_high;
    int64_t low;       /* the counter at the first end */
    LLVMValueRef high; /* at the last end the counter is high + to_high */
    int64_t to_high;
} span_counter;

static bool is_small(int64_t n) {
    return n >= -MAX_FIRST && n <= MAX_FIRST;
}

/* What a number is computed of, but for changes of width and constants that are added; in front of
 * the loops it keeps its width. Where ways of control join, it must be the same on all of them. */
static LLVMValueRef root_of(const span_counter *c, LLVMValueRef v, int64_t *more, int depth) {
    *more = 0;
    for (;;) {
        LLVMOpcode op = LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : LLVMRet;
        LLVMValueRef by = op == LLVMAdd ? LLVMIsAConstantInt(LLVMGetOperand(v, 1)) : NULL;
        bool narrows = op == LLVMTrunc && host_in_loop(c->outer, v);
        if (!by && op != LLVMSExt && op != LLVMZExt && !narrows)
            break;
        int64_t n = by ? LLVMConstIntGetSExtValue(by) : 0;
        if (!is_small(n))
            break;
        *more += n;
        v = LLVMGetOperand(v, 0);
    }
    int64_t first, other;
    unsigned ways = LLVMIsAPHINode(v) && depth > 0 ? LLVMCountIncoming(v) : 0;
    LLVMValueRef root = ways ? root_of(c, LLVMGetIncomingValue(v, 0), &first, depth - 1) : v;
    for (unsigned k = 1; k < ways; k++)
        if (root_of(c, LLVMGetIncomingValue(v, k), &other, depth - 1) != root || other != first)
            return v;
    *more += ways ? first : 0;
    return root;
}

static bool is_counter(const span_counter *c, LLVMValueRef v) {
    return v == c->phi || (c->sum && v == c->sum);
}

static bool is_number_in_front(const span_counter *c, LLVMValueRef v) {
    bool there = LLVMIsAArgument(v) || (LLVMIsAInstruction(v) && !host_in_loop(c->outer, v));
    return there && LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMIntegerTypeKind;
}

/* How far from equality is the first, or the last, number for which the comparison is what it is at
 * that end? */
static int64_t at_equality(LLVMIntPredicate p, bool last) {
    switch (p) {
    case LLVMIntSGE:
    case LLVMIntUGE:
    case LLVMIntSLT:
    case LLVMIntULT:
        return last ? 0 : -1;
    case LLVMIntSGT:
    case LLVMIntUGT:
    case LLVMIntSLE:
    case LLVMIntULE:
        return last ? 1 : 0;
    default:
        return 0;
    }
}

/* At an end the counter, plus `more`, is `to`. */
static void note_end(span_counter *c, int64_t more_first, int64_t more_last, LLVMValueRef to) {
    int64_t by;
    LLVMValueRef root = root_of(c, to, &by, 0), constant = LLVMIsAConstantInt(to);
    if (constant) {
        int64_t n = LLVMConstIntGetSExtValue(constant), low;
        if (__builtin_sub_overflow(n, more_first, &low) || !is_small(low))
            return;
        low = low < 0 ? 0 : low; /* i + 1 < 0 holds nowhere in an array */
        if (c->has_low && c->low <= low)
            return;
        c->has_low = true;
        c->low = low;
    } else if (is_number_in_front(c, root)) {
        int64_t high = by - more_last;
        if (c->has_high && (c->high != root || c->to_high >= high))
            return;
        c->has_high = true;
        c->high = root;
        c->to_high = high;
    }
}

static LLVMIntPredicate turned(LLVMIntPredicate p) {
    static const LLVMIntPredicate of[] = {[LLVMIntEQ] = LLVMIntEQ,   [LLVMIntNE] = LLVMIntNE,
                                          [LLVMIntUGT] = LLVMIntULT, [LLVMIntUGE] = LLVMIntULE,
                                          [LLVMIntULT] = LLVMIntUGT, [LLVMIntULE] = LLVMIntUGE,
                                          [LLVMIntSGT] = LLVMIntSLT, [LLVMIntSGE] = LLVMIntSLE,
                                          [LLVMIntSLT] = LLVMIntSGT, [LLVMIntSLE] = LLVMIntSGE};
    return of[p];
}

/* Where an index comes round, the other end is what is chosen: i == 0 ? n - 1 : i - 1. */
static void look_at_chosen(span_counter *c, LLVMValueRef comparison) {
    for (LLVMUseRef u = LLVMGetFirstUse(comparison); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef select = LLVMIsASelectInst(LLVMGetUser(u));
        for (unsigned k = 1; select && k < 3; k++)
            note_end(c, 0, 0, LLVMGetOperand(select, k));
    }
}

static void look_at_comparison(span_counter *c, LLVMValueRef i) {
    for (unsigned k = 0; k < 2; k++) {
        int64_t more;
        LLVMIntPredicate p = LLVMGetICmpPredicate(i);
        p = k ? turned(p) : p;
        if (!is_counter(c, root_of(c, LLVMGetOperand(i, k), &more, 0)))
            continue;
        note_end(c, more - at_equality(p, false), more - at_equality(p, true),
                 LLVMGetOperand(i, !k));
        look_at_chosen(c, i);
    }
}

/* The greater or the lesser of the counter and an end: max(i, 2) - 2 is clamped to 0. Where nothing
 * is taken away behind it, LLVM does so elsewhere: one, for a neighbour. */
static void look_at_choice(span_counter *c, LLVMValueRef i) {
    LLVMUseRef u = LLVMGetFirstUse(i);
    LLVMValueRef user = u && !LLVMGetNextUse(u) ? LLVMGetUser(u) : i;
    int64_t behind = 0, ignored;
    if (user != i && LLVMGetInstructionOpcode(user) == LLVMAdd)
        root_of(c, user, &behind, 0);
    for (unsigned k = 0; k < 2; k++)
        if (is_counter(c, root_of(c, LLVMGetOperand(i, k), &ignored, 0)))
            note_end(c, behind ? -behind : 1, -behind, LLVMGetOperand(i, !k));
}

static void look_at(span_counter *c, LLVMValueRef i) {
    if (LLVMIsAICmpInst(i))
        look_at_comparison(c, i);
    else if (host_calls(i, "llvm.smax.") || host_calls(i, "llvm.smin.") ||
             host_calls(i, "llvm.umin.") || host_calls(i, "llvm.umax."))
        look_at_choice(c, i);
}

/* OpenMP's last number is last - first - 1. */
static LLVMValueRef without_first(const span_counter *c, LLVMValueRef v, int64_t *more) {
    LLVMOpcode op = LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : LLVMRet;
    if (op == LLVMSub && LLVMGetOperand(v, 1) == c->first)
        return LLVMGetOperand(v, 0);
    for (unsigned k = 0; op == LLVMAdd && k < 2; k++) {
        LLVMValueRef not = LLVMGetOperand(v, k);
        if (LLVMIsAInstruction(not) && LLVMGetInstructionOpcode(not) == LLVMXor &&
            LLVMGetOperand(not, 0) == c->first && LLVMIsAConstantInt(LLVMGetOperand(not, 1)) &&
            LLVMConstIntGetSExtValue(LLVMGetOperand(not, 1)) == -1) {
            *more -= 1;
            return LLVMGetOperand(v, !k);
        }
    }
    return NULL;
}

/* The sum of a number that counts from 0, and of where the loop begins. */
static void find_sum(span_counter *c) {
    for (LLVMUseRef u = LLVMGetFirstUse(c->phi); u && !c->sum; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u);
        LLVMOpcode op = LLVMIsAInstruction(i) ? LLVMGetInstructionOpcode(i) : LLVMRet;
        for (unsigned k = 0; op == LLVMAdd && k < 2; k++)
            if (LLVMGetOperand(i, k) == c->phi && is_number_in_front(c, LLVMGetOperand(i, !k))) {
                c->sum = i;
                c->first = LLVMGetOperand(i, !k);
            }
    }
}

/* Where the loop is left: counter + 1 == last + to_last. */
static void find_last(span_counter *c) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(br_loop_latch(c->l));
    LLVMValueRef test = br_is_conditional(end) ? LLVMIsAICmpInst(LLVMGetCondition(end)) : NULL;
    for (unsigned k = 0; test && k < 2; k++) {
        int64_t more, by;
        if (root_of(c, LLVMGetOperand(test, k), &more, MAX_JOINS) != c->phi)
            continue;
        LLVMValueRef root = root_of(c, LLVMGetOperand(test, !k), &by, 0);
        root = c->sum ? without_first(c, root, &by) : root;
        if (!root || !is_number_in_front(c, root))
            continue;
        c->last = root;
        c->to_last = by - more + 1;
    }
}

static bool find_counter(span_counter *c, br_function *f, LLVMValueRef phi) {
    br_scev s = br_scev_of(f, phi);
    int64_t step;
    if (LLVMGetTypeKind(LLVMTypeOf(phi)) != LLVMIntegerTypeKind || LLVMCountIncoming(phi) != 2 ||
        br_scev_kind(s) != BR_ADDREC || br_scev_loop(s) != c->l ||
        !br_scev_int(br_scev_operand(s, 1), &step) || step != 1)
        return false;
    c->phi = phi;
    LLVMValueRef first = root_of(c, host_incoming(phi, c->l, false), &c->to_first, 0);
    c->first = is_number_in_front(c, first) ? first : NULL;
    if (LLVMIsAConstantInt(first) && LLVMIsNull(first))
        find_sum(c);
    find_last(c);
    LLVMBasicBlockRef b;
    LLVMValueRef own = LLVMGetCondition(LLVMGetBasicBlockTerminator(br_loop_latch(c->l)));
    for (size_t k = 0; (b = br_loop_block(c->l, k)); k++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (i != own)
                look_at(c, i);
    return (c->first && c->has_low) || (c->last && c->has_high && c->last != c->high);
}

static void add_fixed(nest_span *s, LLVMValueRef key, LLVMValueRef is, int64_t more) {
    bool known = s->count == PREP_MAX_FIXED || LLVMTypeOf(key) != LLVMTypeOf(is);
    for (int i = 0; i < s->count && !known; i++)
        known = s->fixed[i].key == key;
    if (!known)
        s->fixed[s->count++] = (prep_fixed){key, is, more};
}

/* A loop that is left at last + 1, rather than at last, may go on to the number itself or to the
 * one before it. */
static int64_t last_is(const span_counter *c) {
    int64_t more = c->to_high - c->to_last + 1;
    return c->to_last == 0 || more > 0 ? 0 : more < -1 ? -1 : more;
}

static void add_counter(nest_span *s, const span_counter *c) {
    if (c->first && c->has_low) {
        int64_t first = c->low - c->to_first;
        add_fixed(s, c->first, LLVMConstInt(LLVMTypeOf(c->first), (unsigned long long)first, true),
                  0);
    }
    if (c->last && c->has_high && c->last != c->high)
        add_fixed(s, c->last, c->high, last_is(c));
}

static void look_at_loop(nest_span *s, br_function *f, br_loop l, br_loop outer) {
    LLVMBasicBlockRef latch = br_loop_latch(l);
    LLVMValueRef end = latch ? LLVMGetBasicBlockTerminator(latch) : NULL;
    if (!end || !br_is_branch(end) || !br_is_conditional(end))
        return;
    for (LLVMValueRef i = LLVMGetFirstInstruction(br_loop_header(l)); i && LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i)) {
        span_counter c = {.l = l, .outer = outer};
        if (find_counter(&c, f, i))
            add_counter(s, &c);
    }
}

static bool look_at_nest(nest_span *s, br_function *f, br_loop outer) {
    size_t count = br_loops(f, NULL, 0);
    br_loop *loops = malloc((count + 1) * sizeof *loops);
    s->count = 0;
    bool small = count <= MAX_LOOPS && br_loop_blocks(outer, NULL, 0) <= PREP_VERSION_BLOCKS;
    br_loops(f, loops, count);
    for (size_t i = 0; i < count && small; i++)
        if (br_loop_contains(outer, br_loop_header(loops[i])))
            look_at_loop(s, f, loops[i], outer);
    free(loops);
    return s->count > 0 && host_first_store(outer);
}

bool prep_has_span(br_function *f, br_loop outer) {
    nest_span s;
    return !br_loop_parent(outer) && !prep_is_guarded(outer) && look_at_nest(&s, f, outer);
}

/* A member of what the address is of. */
static bool is_member(LLVMValueRef address) {
    bool is = LLVMIsAGetElementPtrInst(address) != NULL;
    for (int k = 1; is && k < LLVMGetNumOperands(address); k++)
        is = LLVMIsAConstantInt(LLVMGetOperand(address, (unsigned)k)) != NULL;
    return is;
}

static bool is_known(br_function *f, LLVMValueRef v, LLVMValueRef mark) {
    return !LLVMIsAInstruction(v) || br_comes_first(f, v, mark);
}

/* May the load be made in front of the mark? It can be made there, and nothing is written on the
 * one way from there to it. */
static bool is_there_early(br_function *f, LLVMValueRef load, LLVMValueRef mark) {
    LLVMValueRef from = LLVMGetOperand(load, 0), i = load;
    LLVMBasicBlockRef block = LLVMGetInstructionParent(load);
    bool known =
        is_known(f, from, mark) || (is_member(from) && is_known(f, LLVMGetOperand(from, 0), mark));
    if (!known || !host_is_plain(load) || !br_is_always_there(load))
        return false;
    for (;;) {
        while (i && i != mark && (!br_may_write(i) || host_is_annotation(host_callee_name(i))))
            i = LLVMGetPreviousInstruction(i);
        if (i)
            return i == mark;
        block = host_only_predecessor(block);
        if (!block)
            return false;
        i = LLVMGetBasicBlockTerminator(block);
    }
}

/* Is the number there in front of the mark, perhaps once it is loaded earlier? */
static bool bring_in_front(br_function *f, LLVMValueRef v, LLVMValueRef mark) {
    if (is_known(f, v, mark))
        return true;
    if (!LLVMIsALoadInst(v) || !is_there_early(f, v, mark))
        return false;
    LLVMValueRef from = LLVMGetOperand(v, 0);
    if (!is_known(f, from, mark)) {
        LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(v)));
        LLVMInstructionRemoveFromParent(from);
        LLVMPositionBuilderBefore(b, mark);
        LLVMInsertIntoBuilder(b, from);
        LLVMDisposeBuilder(b);
    }
    br_load_earlier(v, mark);
    return true;
}

bool prep_fix_span(br_function *f, LLVMValueRef function, br_loop outer, LLVMValueRef mark) {
    LLVMBasicBlockRef blocks[PREP_VERSION_BLOCKS];
    nest_span s;
    LLVMBasicBlockRef in = prep_entering_block(function, outer);
    bool good = in && look_at_nest(&s, f, outer);
    for (int i = 0; good && i < s.count; i++)
        good = bring_in_front(f, s.fixed[i].key, mark) && bring_in_front(f, s.fixed[i].is, mark);
    size_t count = good ? br_loop_blocks(outer, blocks, PREP_VERSION_BLOCKS) : 0;
    LLVMValueRef all = good ? prep_fix_values(blocks, count, s.fixed, s.count, mark,
                                              LLVMGetBasicBlockTerminator(in))
                            : NULL;
    if (all)
        prep_require(mark, all);
    br_function_invalidate(f);
    return all != NULL;
}
