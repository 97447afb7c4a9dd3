/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Evaluates a nest near each loop end to recognise clamp, mirror and wrap: the values of indices
 * and conditions in one scene. See ends.h.
 */
#include "detect/host/ends.h"
#include "detect/common/affine.h"
#include "detect/common/flow.h"
#include "detect/common/limits.h"
#include "detect/host/address.h"
#include "detect/host/region.h"
#include "detect/host/scene.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_FACTORS = ST_LIMIT(3, 1), MAX_CONSTANT = 1 << 16, MAX_BLOCKS = ST_LIMIT(128, 3) };

/* The least 64-bit number has no absolute value. */
static bool is_within(int64_t value, int64_t most) {
    return value >= -most && value <= most;
}

/* Extents */

/* n - 2, or last - first + 1: atoms that count once, and a constant. *atom: one that is added. */
static bool is_extent(poly p, br_scev *atom, int64_t *constant) {
    enum { MAX_ATOMS = 2 };
    int atoms = 0;
    *atom = NULL;
    *constant = 0;
    for (int i = 0; i < poly_count(p); i++) {
        const poly_term *t = &poly_terms(p)[i];
        if (t->degree > 1 || (t->degree == 1 && t->factor != 1 && t->factor != -1))
            return false;
        atoms += t->degree;
        if (t->degree == 0)
            *constant = t->factor;
        else if (t->factor == 1 && !*atom)
            *atom = t->atoms[0];
    }
    return poly_is_known(p) && atoms <= MAX_ATOMS && (*atom || atoms == 0);
}

bool ends_extents(host_region *r) {
    host_query q = {.r = r}; /* tentative */
    bool good = true;
    for (int i = 0; i < r->axes && good; i++) {
        host_affine count;
        br_scev atom;
        int64_t constant;
        unsigned bits = br_scev_bits(r->f, r->count[i]);
        q.narrow = bits <= 32 ? bits : 0; /* atoms as conditions have them */
        good = host_evaluate(&q, r->count[i], &count);
        poly more =
            poly_int(r->f, !host_tests_first(r->loops[i]) - r->left_out[i][0] - r->left_out[i][1]);
        r->extent[i] = good ? poly_add(count.base, more) : more;
        good = good && is_extent(r->extent[i], &atom, &constant) &&
               (!q.narrow || is_within(constant, MAX_CONSTANT)); /* the sum does not wrap */
    }
    return good;
}

static int count_atoms(poly p) {
    int atoms = 0;
    for (int i = 0; i < poly_count(p); i++)
        atoms += poly_terms(p)[i].degree == 1;
    return atoms;
}

/* What bounds an extent of one atom bounds that, too. Where there are two, each is to be as small:
 * checked at run time. */
bool ends_require(host_region *r) {
    enum { BITS = 30 };
    _Static_assert(ENDS_LIMIT == 1 << (BITS - 1), "a signed number of so many bits");
    host_query q = {.r = r};
    bool good = true;
    for (int l = 0; l < r->axes; l++) {
        poly p = r->extent[l];
        for (int i = 0; i < poly_count(p) && count_atoms(p) > 1 && good; i++) {
            host_affine atom;
            if (poly_terms(p)[i].degree == 0)
                continue;
            host_set_int(r, &atom, 0);
            atom.base = poly_term_as(p, i, 1);
            good = host_add_range(&q, &atom, BITS, true);
        }
    }
    return good;
}

/* Bounds */

static int64_t factor_of(poly p, br_scev atom) {
    for (int i = 0; i < poly_count(p); i++)
        if (poly_terms(p)[i].degree == 1 && poly_terms(p)[i].atoms[0] == atom)
            return poly_terms(p)[i].factor;
    return 0;
}

/* The least value, or the greatest, of a sum of extents; false if there is none. */
static bool bound_of_extents(const host_query *q, poly p, bool greatest, int64_t *bound) {
    const host_region *r = q->r;
    int64_t least = 2 * q->scene->width + 1; /* that an extent is */
    int64_t constant, sum = 0;
    for (int l = 0; l < r->axes && poly_is_known(p); l++) {
        br_scev atom;
        if (!is_extent(r->extent[l], &atom, &constant) || !atom)
            continue;
        int64_t factor = factor_of(p, atom);
        if (factor == 0 || !is_within(factor, MAX_CONSTANT) || (factor > 0) == greatest)
            continue;
        sum += factor * least;
        p = poly_sub(p, poly_scale(r->extent[l], factor));
    }
    if (!poly_is_known(p) || !poly_is_int(p, &constant))
        return false;
    *bound = sum + constant;
    return true;
}

/* A bound of the value. Counters are between their ends. A sum of them is linear, so one end of
 * each counter gives the bound. */
static bool bound(const host_query *q, const host_affine *a, bool greatest, int64_t *out) {
    const host_region *r = q->r;
    poly sum = a->base;
    for (int l = 0; l < HOST_MAX_LOOPS; l++) {
        int64_t by;
        if (poly_is_zero(a->step[l]))
            continue;
        if (l >= r->axes || !poly_is_int(a->step[l], &by) || !is_within(by, MAX_CONSTANT))
            return false;
        poly at = poly_int(r->f, q->scene->width);
        if ((by > 0) == greatest) { /* extent - 1 - width */
            poly less = poly_int(r->f, 1 + q->scene->width);
            at = poly_sub(r->extent[l], less);
        }
        at = poly_scale(at, by);
        sum = poly_add(sum, at);
    }
    return bound_of_extents(q, sum, greatest, out);
}

/* Is p, in the scene, at least 0? */
static ends_truth not_negative(const host_query *q, const host_affine *p) {
    int64_t b;
    if (bound(q, p, false, &b) && b >= 0)
        return ENDS_YES;
    return bound(q, p, true, &b) && b < 0 ? ENDS_NO : ENDS_MAYBE;
}

/* A sum of at most MAX_FACTORS atoms of extents or counters, each below ENDS_LIMIT + MAX_CONSTANT:
 * it is below 2^31, so an operand of 32 bits has its value and needs no range. */
_Static_assert(MAX_FACTORS *(INT64_C(1) * ENDS_LIMIT + MAX_CONSTANT) + MAX_CONSTANT < INT32_MAX,
               "a narrow operand may wrap");

/* Small enough that it does not wrap in 32 bits. */
static bool is_small(const host_query *q, const host_affine *a) {
    const host_region *r = q->r;
    int64_t factors = 0, by;
    if (!poly_is_known(a->base))
        return false;
    for (int l = 0; l < HOST_MAX_LOOPS; l++) {
        if (!poly_is_int(a->step[l], &by) || !is_within(by, MAX_FACTORS) || (by && l >= r->axes))
            return false;
        factors += llabs(by);
    }
    for (int i = 0; i < poly_count(a->base); i++) {
        const poly_term *t = &poly_terms(a->base)[i];
        bool known = t->degree == 0 && is_within(t->factor, MAX_CONSTANT);
        for (int l = 0; l < r->axes && t->degree == 1 && !known; l++) {
            br_scev atom;
            int64_t constant;
            known = is_extent(r->extent[l], &atom, &constant) &&
                    factor_of(r->extent[l], t->atoms[0]) != 0 &&
                    is_within(constant, MAX_CONSTANT) && is_within(t->factor, MAX_FACTORS);
        }
        if (!known)
            return false;
        factors += t->degree ? llabs(t->factor) : 0;
    }
    return factors <= MAX_FACTORS;
}

static host_affine difference(const host_query *q, const host_affine *a, const host_affine *b,
                              int64_t less) {
    const host_region *r = q->r;
    host_affine d = {.base = poly_plus(r->f, poly_sub(a->base, b->base), -less)};
    for (int l = 0; l < HOST_MAX_LOOPS; l++)
        d.step[l] = poly_sub(a->step[l], b->step[l]);
    return d;
}

/* a >= b + less */
static ends_truth at_least(const host_query *q, const host_affine *a, const host_affine *b,
                           int64_t less) {
    host_affine d = difference(q, a, b, less);
    return not_negative(q, &d);
}

static ends_truth negation(ends_truth t) {
    return t == ENDS_MAYBE ? t : t == ENDS_NO ? ENDS_YES : ENDS_NO;
}

static ends_truth conjunction(ends_truth a, ends_truth b) {
    return a == ENDS_NO || b == ENDS_NO     ? ENDS_NO
           : a == ENDS_YES && b == ENDS_YES ? ENDS_YES
                                            : ENDS_MAYBE;
}

/* Values */

/* An operand of at least 32 bits, as a signed number. */
static bool operand(const host_query *q, LLVMValueRef v, host_affine *out) {
    LLVMTypeRef t = LLVMTypeOf(v);
    unsigned bits = LLVMGetTypeKind(t) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(t) : 0;
    host_query number = *q;
    if (bits != 32 && bits != 64)
        return false;
    number.narrow = bits < 64 ? bits : 0;
    number.why = NULL; /* a condition that is not known is no refusal */
    return host_evaluate(&number, br_scev_of(q->r->f, v), out) && is_small(q, out);
}

static ends_truth equal(const host_query *q, const host_affine *a, const host_affine *b) {
    ends_truth more = at_least(q, a, b, 1), less = at_least(q, b, a, 1);
    if (more == ENDS_YES || less == ENDS_YES)
        return ENDS_NO;
    return more == ENDS_NO && less == ENDS_NO ? ENDS_YES : ENDS_MAYBE;
}

/* a < b of unsigned numbers: one that is negative here is greater than all that are not. */
static ends_truth is_below(const host_query *q, const host_affine *a, const host_affine *b) {
    ends_truth first = not_negative(q, a), second = not_negative(q, b);
    if (first == ENDS_MAYBE || second == ENDS_MAYBE)
        return ENDS_MAYBE;
    if (first != second)
        return first;
    return at_least(q, b, a, 1);
}

static ends_truth compare(const host_query *q, LLVMIntPredicate p, const host_affine *a,
                          const host_affine *b) {
    switch (p) {
    case LLVMIntEQ:
        return equal(q, a, b);
    case LLVMIntNE:
        return negation(equal(q, a, b));
    case LLVMIntSGT:
        return at_least(q, a, b, 1);
    case LLVMIntSGE:
        return at_least(q, a, b, 0);
    case LLVMIntSLT:
        return at_least(q, b, a, 1);
    case LLVMIntSLE:
        return at_least(q, b, a, 0);
    case LLVMIntUGT:
        return is_below(q, b, a);
    case LLVMIntUGE:
        return negation(is_below(q, a, b));
    case LLVMIntULT:
        return is_below(q, a, b);
    default:
        return negation(is_below(q, b, a));
    }
}

static ends_truth of_guard(const host_query *q, LLVMValueRef condition) {
    const host_region *r = q->r;
    for (int i = 0; i < r->nguards; i++)
        if (r->guards[i].condition == condition)
            return r->guards[i].holds ? ENDS_YES : ENDS_NO;
    return ENDS_MAYBE;
}

static ends_truth test(const host_query *q, LLVMValueRef c);

static ends_truth chosen_test(const host_query *q, LLVMValueRef c) {
    ends_truth which = test(q, LLVMGetOperand(c, 0));
    if (which != ENDS_MAYBE)
        return test(q, LLVMGetOperand(c, which == ENDS_YES ? 1 : 2));
    ends_truth yes = test(q, LLVMGetOperand(c, 1)), no = test(q, LLVMGetOperand(c, 2));
    return yes == no ? yes : ENDS_MAYBE;
}

/* A condition in the scene. */
static ends_truth test(const host_query *q, LLVMValueRef c) {
    host_affine a, b;
    if (LLVMIsAConstantInt(c))
        return LLVMConstIntGetZExtValue(c) ? ENDS_YES : ENDS_NO;
    if (!LLVMIsAInstruction(c) || of_guard(q, c) != ENDS_MAYBE)
        return of_guard(q, c);
    switch (LLVMGetInstructionOpcode(c)) {
    case LLVMICmp:
        if (!operand(q, LLVMGetOperand(c, 0), &a) || !operand(q, LLVMGetOperand(c, 1), &b))
            return ENDS_MAYBE;
        return compare(q, LLVMGetICmpPredicate(c), &a, &b);
    case LLVMAnd:
        return conjunction(test(q, LLVMGetOperand(c, 0)), test(q, LLVMGetOperand(c, 1)));
    case LLVMOr:
        return negation(conjunction(negation(test(q, LLVMGetOperand(c, 0))),
                                    negation(test(q, LLVMGetOperand(c, 1)))));
    case LLVMXor:
        return LLVMIsAConstantInt(LLVMGetOperand(c, 1))
                   ? (LLVMConstIntGetZExtValue(LLVMGetOperand(c, 1))
                          ? negation(test(q, LLVMGetOperand(c, 0)))
                          : test(q, LLVMGetOperand(c, 0)))
                   : ENDS_MAYBE;
    case LLVMFreeze:
        return test(q, LLVMGetOperand(c, 0));
    case LLVMSelect:
        return chosen_test(q, c);
    default:
        return ENDS_MAYBE;
    }
}

/* Which blocks run */

typedef struct walk {
    const host_query *q;
    int depth;
    LLVMBasicBlockRef blocks[MAX_BLOCKS];
    size_t count;
} walk;

static ends_truth runs(walk *w, LLVMBasicBlockRef block);

static ends_truth takes(walk *w, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    ends_truth reached = runs(w, from);
    if (reached == ENDS_NO || LLVMGetNumSuccessors(end) == 1)
        return reached;
    if (!br_is_branch(end) || LLVMGetSuccessor(end, 0) == LLVMGetSuccessor(end, 1))
        return ENDS_MAYBE;
    ends_truth holds = test(w->q, LLVMGetCondition(end));
    return conjunction(reached, LLVMGetSuccessor(end, 0) == to ? holds : negation(holds));
}

/* The loop that the block is the head of; NULL: of none in the nest. */
static br_loop headed(const host_region *r, LLVMBasicBlockRef block) {
    for (int i = 0; i < r->axes; i++)
        if (br_loop_header(r->loops[i]) == block)
            return r->loops[i];
    return NULL;
}

/* Does control come to the block by one of the ways there? A loop's head counts those from outside
 * the loop. */
static ends_truth reached(walk *w, LLVMBasicBlockRef block) {
    br_loop l = headed(w->q->r, block);
    ends_truth any = ENDS_NO;
    for (size_t i = 0; i < w->count && any != ENDS_YES; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(w->blocks[i]);
        bool there = false;
        for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++)
            there |= LLVMGetSuccessor(end, k) == block;
        if (!there || (l && br_loop_contains(l, w->blocks[i])))
            continue;
        ends_truth one = takes(w, w->blocks[i], block);
        any = one == ENDS_NO ? any : one == ENDS_YES ? one : ENDS_MAYBE;
    }
    return any;
}

static ends_truth runs(walk *w, LLVMBasicBlockRef block) {
    br_loop nest = w->q->r->loops[w->q->r->axes - 1];
    if (block == br_loop_header(nest) || !br_loop_contains(nest, block) ||
        br_dominates(w->q->r->f, block, br_loop_latch(nest)))
        return ENDS_YES;
    if (w->depth == MAX_BLOCKS)
        return ENDS_MAYBE;
    w->depth++;
    ends_truth t = reached(w, block);
    w->depth--;
    return t;
}

static bool begin_walk(const host_query *q, walk *w) {
    *w = (walk){.q = q};
    w->count = br_loop_blocks(q->r->loops[q->r->axes - 1], w->blocks, MAX_BLOCKS);
    return w->count <= MAX_BLOCKS;
}

ends_truth ends_runs(const host_query *q, LLVMBasicBlockRef block) {
    walk w;
    return begin_walk(q, &w) ? runs(&w, block) : ENDS_MAYBE;
}

/* Chosen values */

static bool value_of(const host_query *q, LLVMValueRef v, host_affine *out) {
    return host_evaluate(q, br_scev_of(q->r->f, v), out);
}

static bool refuse(const host_query *q, LLVMValueRef v) {
    return host_not_affine_by(q, v);
}

static bool one_of(const host_query *q, LLVMValueRef a, LLVMValueRef b, host_affine *out) {
    host_affine other;
    bool known = value_of(q, a, out) && value_of(q, b, &other);
    return known && (host_same_affine(out, &other) || refuse(q, a));
}

static bool join(const host_query *q, LLVMValueRef phi, host_affine *out) {
    const host_region *r = q->r;
    LLVMBasicBlockRef here = LLVMGetInstructionParent(phi);
    host_affine other;
    walk w;
    int found = 0;
    if (headed(r, here) || !begin_walk(q, &w))
        return refuse(q, phi);
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        if (takes(&w, LLVMGetIncomingBlock(phi, i), here) == ENDS_NO)
            continue;
        if (!value_of(q, LLVMGetIncomingValue(phi, i), found ? &other : out))
            return false;
        if (found++ && !host_same_affine(out, &other))
            return refuse(q, phi);
    }
    return found > 0 || refuse(q, phi);
}

/* One that comes round is not told so. */
static bool joined(const host_query *q, LLVMValueRef phi, host_affine *out) {
    enum { MAX_JOINS = 12 };
    host_query within = *q;
    within.joins++;
    return q->joins < MAX_JOINS ? join(&within, phi, out) : refuse(q, phi);
}

static bool scene_quotient(const host_query *q, const host_affine *a, const host_affine *b,
                           host_affine *out);

/* a mod b, of numbers that are not negative. */
static bool remainder_of(const host_query *q, LLVMValueRef v, host_affine *out) {
    host_affine by, quotient;
    if (!operand(q, LLVMGetOperand(v, 0), out) || !operand(q, LLVMGetOperand(v, 1), &by) ||
        !scene_quotient(q, out, &by, &quotient))
        return refuse(q, v);
    int64_t times;
    if (!poly_is_int(quotient.base, &times))
        return refuse(q, v);
    for (; times > 0; times--)
        *out = difference(q, out, &by, 0);
    return true;
}

/* max(a - b, 0) of unsigned numbers. */
static bool saturated(const host_query *q, LLVMValueRef v, host_affine *out) {
    host_affine a, b;
    if (!operand(q, LLVMGetOperand(v, 0), &a) || !operand(q, LLVMGetOperand(v, 1), &b))
        return refuse(q, v);
    ends_truth less = is_below(q, &a, &b);
    if (less == ENDS_MAYBE)
        return refuse(q, v);
    *out = less == ENDS_YES ? difference(q, &a, &a, 0) : difference(q, &a, &b, 0);
    return true;
}

/* 255 - a, which LLVM writes as a ^ 255 where it knows that a is from 0 to 255. */
static bool complement(const host_query *q, LLVMValueRef v, host_affine *out) {
    LLVMValueRef mask = LLVMIsAConstantInt(LLVMGetOperand(v, 1));
    int64_t most = mask ? LLVMConstIntGetSExtValue(mask) : 0;
    host_affine a;
    if (most <= 0 || most > MAX_CONSTANT || most & (most + 1) ||
        !operand(q, LLVMGetOperand(v, 0), &a) || not_negative(q, &a) != ENDS_YES)
        return refuse(q, v);
    host_set_int(q->r, out, most);
    *out = difference(q, out, &a, 0);
    return not_negative(q, out) == ENDS_YES || refuse(q, v);
}

static bool is_call(LLVMValueRef v, const char *name) {
    size_t length;
    return LLVMIsACallInst(v) && LLVMIsAFunction(LLVMGetCalledValue(v)) &&
           !strncmp(LLVMGetValueName2(LLVMGetCalledValue(v), &length), name, strlen(name));
}

static bool scene_value(const host_query *q, LLVMValueRef v, host_affine *out) {
    if (!LLVMIsAInstruction(v))
        return refuse(q, v);
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    if (op == LLVMSelect) {
        ends_truth which = test(q, LLVMGetOperand(v, 0));
        if (which == ENDS_MAYBE)
            return one_of(q, LLVMGetOperand(v, 1), LLVMGetOperand(v, 2), out);
        return value_of(q, LLVMGetOperand(v, which == ENDS_YES ? 1 : 2), out);
    }
    if (op == LLVMPHI)
        return joined(q, v, out);
    if (op == LLVMURem || op == LLVMSRem)
        return remainder_of(q, v, out);
    if (op == LLVMXor)
        return complement(q, v, out);
    if (is_call(v, "llvm.usub.sat."))
        return saturated(q, v, out);
    return refuse(q, v);
}

static bool scene_quotient(const host_query *q, const host_affine *a, const host_affine *b,
                           host_affine *out) {
    const host_region *r = q->r;
    host_affine rest = *a, zero = difference(q, a, a, 0);
    if (!is_small(q, a) || !is_small(q, b) || not_negative(q, a) != ENDS_YES ||
        at_least(q, b, &zero, 1) != ENDS_YES)
        return false;
    for (int quotient = 0; quotient < MAX_FACTORS; quotient++) {
        ends_truth more = at_least(q, &rest, b, 0);
        if (more == ENDS_MAYBE)
            return false;
        if (more == ENDS_NO) {
            *out = zero;
            out->base = poly_int(r->f, quotient);
            return true;
        }
        rest = difference(q, &rest, b, 0);
    }
    return false;
}

/* The number modulo 2^bits, of so few bits that it may be a remainder. */
static bool masked(const host_query *q, unsigned bits, host_affine *index) {
    host_affine whole = difference(q, index, index, -(INT64_C(1) << bits));
    if (not_negative(q, index) == ENDS_NO)
        index->base = poly_add(index->base, whole.base);
    else if (at_least(q, index, &whole, 0) == ENDS_YES)
        index->base = poly_sub(index->base, whole.base);
    return not_negative(q, index) == ENDS_YES && at_least(q, &whole, index, 1) == ENDS_YES;
}

static bool scene_extreme(const host_query *q, enum br_scev_kind kind, const host_affine *other,
                          host_affine *out) {
    bool least = kind == BR_SMIN || kind == BR_UMIN;
    if (!is_small(q, out) || !is_small(q, other))
        return refuse(q, NULL);
    ends_truth below = kind == BR_SMIN || kind == BR_SMAX ? at_least(q, other, out, 0)
                                                          : negation(is_below(q, other, out));
    if (below == ENDS_MAYBE) /* they may be equal on the other side, too */
        below = kind == BR_SMIN || kind == BR_SMAX ? negation(at_least(q, out, other, 0))
                                                   : is_below(q, out, other);
    if (below == ENDS_MAYBE)
        return refuse(q, NULL);
    if ((below == ENDS_YES) != least)
        *out = *other;
    return true;
}

static bool scene_bit(const host_query *q, br_scev s, bool *bit) {
    ends_truth t = br_scev_kind(s) == BR_UNKNOWN ? test(q, br_scev_value(s)) : ENDS_MAYBE;
    *bit = t == ENDS_YES;
    return t != ENDS_MAYBE;
}

static bool scene_extension(const host_query *q, unsigned bits, bool is_signed,
                            host_affine *index) {
    bool small = is_small(q, index);
    if (bits < 32 && bits != 8 && bits != 16)
        return (!is_signed && small && masked(q, bits, index)) || refuse(q, NULL);
    if (bits == 32 && small && (is_signed || not_negative(q, index) == ENDS_YES))
        return true;
    host_narrowed *n = q->narrowed;
    for (int i = 0; i < n->count; i++)
        if (n->at[i].bits == bits && n->at[i].is_signed == is_signed &&
            host_same_affine(index, &n->at[i].index))
            return true;
    if (bits > 32 || n->count == HOST_MAX_NARROWED)
        return refuse(q, NULL);
    n->at[n->count++] = (host_narrow){*index, bits, is_signed};
    return true;
}

/* Scenes */

static const host_decisions decisions = {scene_value,   scene_bit,       scene_quotient,
                                         scene_extreme, scene_extension, ends_runs};

void ends_first_scene(const host_region *r, int width, host_scene *scene) {
    (void)r;
    memset(scene, 0, sizeof *scene);
    scene->decide = &decisions;
    scene->width = width;
}

bool ends_next_scene(const host_region *r, host_scene *scene) {
    for (int i = 0; i < r->axes; i++) {
        if (scene->place[i] != HOST_BETWEEN && ++scene->from[i] < scene->width)
            return true;
        scene->from[i] = 0;
        if (scene->place[i] != HOST_END) {
            scene->place[i]++;
            return true;
        }
        scene->place[i] = HOST_BETWEEN;
    }
    return false;
}
