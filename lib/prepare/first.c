/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A time loop whose first step differs: it begins a scheme that needs two earlier steps, or reads a
 * clock.
 *
 *     for (t = 0; t < T; t++) {            if (T > 0) {
 *         if (t == 0)                          start(b, a);
 *             start(b, a);                     copy(a, b);
 *         else                     ->          for (t = 1; t < T; t++)
 *             sweep(b, a);                         sweep(b, a), copy(a, b);
 *         copy(a, b);                      }
 *     }
 *
 * A copy of the body makes the first step. In the copy and in the loop, the branches by which they
 * differ are decided. Such a branch compares a counter with the number that it starts from, or
 * tests a flag that each step sets to the same value.
 */
#include "prepare/first.h"
#include "model/fixed_limits.h"
#include "prepare/sequence.h"

#include <stdlib.h>

enum { MAX_BLOCKS = ST_LIMIT(512, 8), MAX_BRANCHES = 16 };

/* A branch of the loop, and its condition in the first step. In all others it is the opposite. */
typedef struct decided {
    LLVMBasicBlockRef block;
    bool first;
} decided;

typedef struct parted {
    LLVMBasicBlockRef own[MAX_BLOCKS], copy[MAX_BLOCKS];
    size_t count;
    decided branch[MAX_BRANCHES];
    int nbranches;
} parted;

/* Is b one more than a? */
static bool is_next(br_scev a, br_scev b) {
    int64_t x, y;
    return br_scev_int(a, &x) && br_scev_int(b, &y) && x < INT64_MAX && y == x + 1;
}

/* Is it a counter of the loop, in steps of one, that does not come back to its start? */
static bool is_counter(br_scev s, br_loop l, br_scev *start) {
    int64_t by;
    if (br_scev_kind(s) != BR_ADDREC || br_scev_loop(s) != l || br_scev_count(s) != 2 ||
        !br_scev_int(br_scev_operand(s, 1), &by) || by != 1)
        return false;
    *start = br_scev_operand(s, 0);
    return true;
}

/* Does the counter stay above its start, which is not negative, in all later steps? */
static bool stays_above(br_function *f, br_loop l, br_scev counter, br_scev start) {
    int64_t from, least, greatest, back;
    br_scev count = br_backedge_count(f, l);
    unsigned bits = br_scev_bits(f, counter);
    int64_t limit = (INT64_C(1) << ((bits < 32 ? bits : 32) - 1)) - 1;
    if (!br_scev_int(start, &from) || from < 0)
        return false;
    br_scev_signed_range(f, counter, &least, &greatest);
    bool counted =
        count && br_scev_int(count, &back) && back >= 0 && from < limit && back < limit - from;
    return counted || least >= from;
}

static bool is_equality(LLVMIntPredicate p) {
    return p == LLVMIntEQ || p == LLVMIntNE;
}

/* Is `counter p other` one thing in the first step, and another in all others? */
static bool differs(br_function *f, br_loop l, LLVMIntPredicate p, br_scev counter, br_scev other,
                    bool *first) {
    br_scev start;
    if (!is_counter(counter, l, &start) || !stays_above(f, l, counter, start))
        return false;
    bool same = other == start, next = is_next(start, other);
    *first =
        p == LLVMIntEQ || p == LLVMIntULE || p == LLVMIntSLE || p == LLVMIntULT || p == LLVMIntSLT;
    switch (p) {
    case LLVMIntEQ:
    case LLVMIntNE:
    case LLVMIntULE:
    case LLVMIntSLE:
    case LLVMIntUGT:
    case LLVMIntSGT:
        return same;
    case LLVMIntULT:
    case LLVMIntSLT:
    case LLVMIntUGE:
    case LLVMIntSGE:
        return next;
    default:
        return false;
    }
}

/* Is it a flag, whose first value is one number, and whose others are another? */
static bool is_flag(br_loop l, LLVMValueRef v, LLVMValueRef *first, LLVMValueRef *others) {
    LLVMBasicBlockRef latch = br_loop_latch(l);
    if (!LLVMIsAPHINode(v) || LLVMGetInstructionParent(v) != br_loop_header(l) ||
        LLVMCountIncoming(v) != 2)
        return false;
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef from = LLVMGetIncomingValue(v, i);
        if (!LLVMIsAConstantInt(from))
            return false;
        *(LLVMGetIncomingBlock(v, i) == latch ? others : first) = from;
    }
    return *first != *others;
}

static bool is_decided(br_function *f, br_loop l, LLVMValueRef condition, bool *first) {
    LLVMValueRef flag = condition, a, b;
    if (is_flag(l, condition, &a, &b)) {
        *first = LLVMConstIntGetZExtValue(a) != 0;
        return true;
    }
    if (!LLVMIsAICmpInst(condition))
        return false;
    LLVMIntPredicate p = LLVMGetICmpPredicate(condition);
    flag = LLVMGetOperand(condition, 0);
    LLVMValueRef other = LLVMGetOperand(condition, 1);
    if (is_equality(p) && is_flag(l, flag, &a, &b) && (other == a || other == b)) {
        *first = (other == a) == (p == LLVMIntEQ);
        return true;
    }
    if (LLVMGetTypeKind(LLVMTypeOf(flag)) != LLVMIntegerTypeKind)
        return false;
    return differs(f, l, p, br_scev_of(f, flag), br_scev_of(f, other), first);
}

static bool decides(br_function *f, br_loop l, LLVMBasicBlockRef block, bool *first) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    return br_loop_of(f, block) == l && br_is_branch(end) && LLVMGetNumSuccessors(end) == 2 &&
           br_loop_contains(l, LLVMGetSuccessor(end, 0)) &&
           br_loop_contains(l, LLVMGetSuccessor(end, 1)) &&
           is_decided(f, l, LLVMGetCondition(end), first);
}

static LLVMBasicBlockRef before(br_loop l) {
    LLVMValueRef function = LLVMGetBasicBlockParent(br_loop_header(l));
    LLVMBasicBlockRef only = prep_entering_block(function, l);
    LLVMValueRef end = only ? LLVMGetBasicBlockTerminator(only) : NULL;
    return end && br_is_branch(end) && LLVMGetNumSuccessors(end) == 1 ? only : NULL;
}

bool prep_has_first(br_function *f, br_loop l) {
    LLVMBasicBlockRef block;
    bool has = false, first;
    if (!br_loop_latch(l) || br_loop_block(l, MAX_BLOCKS))
        return false;
    for (size_t b = 0; !has && (block = br_loop_block(l, b)); b++)
        has = decides(f, l, block, &first);
    return has;
}

/* The change */

static void describe(parted *p, br_function *f, br_loop l) {
    p->count = br_loop_blocks(l, p->own, MAX_BLOCKS);
    for (size_t b = 0; b < p->count && p->nbranches < MAX_BRANCHES; b++) {
        decided *d = &p->branch[p->nbranches];
        d->block = p->own[b];
        p->nbranches += decides(f, l, p->own[b], &d->first);
    }
}

/* Values go from step to step, and out of the loop, in memory meanwhile. */
static void demote(const parted *p, br_loop l) {
    br_demote_phis(p->own[0]);
    for (size_t b = 0; b < p->count; b++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(p->own[b]);
        for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++)
            if (!br_loop_contains(l, LLVMGetSuccessor(end, s)))
                br_demote_phis(LLVMGetSuccessor(end, s));
    }
}

static void decide(LLVMBasicBlockRef block, bool value) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    LLVMTypeRef type = LLVMTypeOf(LLVMGetCondition(end));
    LLVMSetCondition(end, LLVMConstInt(type, value, false));
}

/* The copy goes on with the loop where it would go back to its own head. */
static void enter_loop(const parted *p) {
    for (size_t b = 0; b < p->count; b++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(p->copy[b]);
        for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++)
            if (LLVMGetSuccessor(end, s) == p->copy[0])
                LLVMSetSuccessor(end, s, p->own[0]);
        for (int k = 0; k < p->nbranches; k++)
            if (p->branch[k].block == p->own[b])
                decide(p->copy[b], p->branch[k].first);
    }
    for (int k = 0; k < p->nbranches; k++)
        decide(p->branch[k].block, !p->branch[k].first);
}

static void part(br_loop l, parted *p, LLVMBasicBlockRef in_front) {
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(LLVMGetBasicBlockTerminator(in_front)));
    LLVMBasicBlockRef out;
    size_t nouts;
    demote(p, l);
    br_twin(in_front, p->own, p->count, LLVMConstInt(LLVMInt1TypeInContext(c), 1, false), p->copy,
            &out, 1, &nouts);
    enter_loop(p);
}

LLVMBasicBlockRef prep_part_first(prep_shadow *s, LLVMBasicBlockRef head) {
    br_loop l = prep_loop_at(s->f, head);
    LLVMBasicBlockRef in_front = l && prep_has_first(s->f, l) ? br_loop_prepare(s->f, l) : NULL;
    if (!in_front || before(l) != in_front)
        return NULL;
    parted *p = calloc(1, sizeof *p);
    describe(p, s->f, l);
    part(l, p, in_front);
    free(p);
    bool good = prep_run_passes(s->function, "simplifycfg,mem2reg,adce,simplifycfg");
    s->body = LLVMGetEntryBasicBlock(s->function);
    br_function_invalidate(s->f);
    return good && prep_has_block(s->function, head) ? head : NULL;
}
