/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Choices: indices that are one thing or another, as clamped, mirrored and periodic ones are.
 *
 * However it is written - minimum, maximum, select, branches that join - a choice of two values
 * is one of them and, where a test holds, an excess: the difference to the other. That is a root,
 * and the index a polynomial again. Nested choices are sums of excesses, whose tests may speak of
 * the excess before. What they mean is asked when the axes are known (kernel/faces.c).
 */
#include "detect/kernel/index.h"

#include "detect/common/flow.h"

#include <stdlib.h>

static bool refuse_choice(const kernel_query *q, const char *detail) {
    return st_refuse(q->why, ST_NO_KERNEL_BOUNDARY, detail);
}

static bool same_test(const kernel_test *a, const kernel_test *b) {
    return a->equal == b->equal && a->negated == b->negated && a->is_unsigned == b->is_unsigned &&
           poly_equal(a->left, b->left) && poly_equal(a->right, b->right);
}

/* `otherwise`, and where the test holds `where`. */
static bool with_excess(const kernel_query *q, const kernel_test *test, poly where, poly otherwise,
                        poly *out) {
    poly excess = poly_sub(where, otherwise);
    kernel_root *r = NULL;
    if (!poly_is_known(excess) || !poly_is_known(test->left) || !poly_is_known(test->right))
        return refuse_choice(q, "it has too many terms");
    for (int i = 0; i < q->values->nroots && !r; i++)
        if (q->values->roots[i].role == KERNEL_EXCESS &&
            same_test(&q->values->roots[i].test, test) &&
            poly_equal(q->values->roots[i].excess, excess))
            r = &q->values->roots[i];
    if (!r) {
        r = kernel_add_root(q, KERNEL_EXCESS);
        if (!r)
            return false;
        r->test = *test;
        r->excess = excess;
    }
    poly atom = poly_atom(q->values->f, kernel_root_atom(r));
    *out = poly_add(otherwise, atom);
    return poly_is_known(*out) || refuse_choice(q, "it has too many terms");
}

/* How much p looks like a coordinate on its way to a border: with roots, not subtracted, and with
 * little else. Only what is recognised depends on it, not what it is recognised as. */
static int plainness(const kernel_values *v, poly p) {
    int score = 0;
    bool varies = false;
    for (int i = 0; i < poly_count(p); i++) {
        const kernel_root *r = NULL;
        for (int a = 0; a < poly_terms(p)[i].degree && !r; a++)
            r = kernel_root_of(v, poly_terms(p)[i].atoms[a]);
        if (r && r->role == KERNEL_EXCESS)
            continue;
        varies |= r != NULL;
        score -= 1 + (r && poly_terms(p)[i].factor < 0 ? 100 : 0);
    }
    return varies ? score : score - 10000;
}

/* Are both the same where the test finds its numbers equal? In `y == 0 ? x : y * n + x` they are.
 */
static bool same_if_equal(const kernel_test *test, poly yes, poly no) {
    poly excess = poly_sub(yes, no), apart = poly_sub(test->left, test->right), times;
    return test->equal && !poly_is_zero(apart) && poly_quotient(excess, apart, &times);
}

static bool choose_by(const kernel_query *q, kernel_test test, poly yes, poly no, poly *out) {
    if (poly_equal(yes, no) || same_if_equal(&test, yes, no)) {
        *out = no;
        return true;
    }
    test.negated = !test.equal && plainness(q->values, yes) > plainness(q->values, no);
    return with_excess(q, &test, test.negated ? no : yes, test.negated ? yes : no, out);
}

/* The test that an integer comparison makes; `*inverted`: the comparison is the test's opposite. */
static bool test_of(const kernel_query *q, LLVMValueRef condition, kernel_test *t, bool *inverted) {
    LLVMIntPredicate p = LLVMGetICmpPredicate(condition);
    LLVMValueRef left = LLVMGetOperand(condition, 0), right = LLVMGetOperand(condition, 1);
    if (LLVMGetTypeKind(LLVMTypeOf(left)) != LLVMIntegerTypeKind ||
        LLVMGetIntTypeWidth(LLVMTypeOf(left)) < 32)
        return refuse_choice(q, "it compares something else than numbers of 32 or 64 bits");
    bool swap = p == LLVMIntSGT || p == LLVMIntUGT || p == LLVMIntSLE || p == LLVMIntULE;
    t->equal = p == LLVMIntEQ || p == LLVMIntNE;
    t->is_unsigned = p >= LLVMIntUGT && p <= LLVMIntULE;
    *inverted =
        p == LLVMIntNE || p == LLVMIntSGE || p == LLVMIntUGE || p == LLVMIntSLE || p == LLVMIntULE;
    return kernel_operand(q, swap ? right : left, !t->is_unsigned, &t->left) &&
           kernel_operand(q, swap ? left : right, !t->is_unsigned, &t->right);
}

static bool is_assumed(const kernel_values *v, LLVMValueRef condition, bool *holds) {
    for (int i = 0; i < v->assumed.count; i++)
        if (v->assumed.conditions[i] == condition) {
            *holds = v->assumed.holds[i];
            return true;
        }
    return false;
}

/* A condition for which there is no test. */
static bool want(const kernel_query *q, LLVMValueRef condition) {
    if (q->values->choosing != KERNEL_ASSUME_NONE && !q->values->wanted)
        q->values->wanted = condition;
    return false;
}

static bool choose(const kernel_query *q, LLVMValueRef condition, poly yes, poly no, poly *out) {
    kernel_test test = {.equal = false};
    bool inverted = false, holds;
    if (is_assumed(q->values, condition, &holds)) {
        *out = holds ? yes : no;
        return true;
    }
    if (q->values->choosing == KERNEL_ASSUME_ALL && !poly_equal(yes, no))
        return want(q, condition);
    if (!LLVMIsAICmpInst(condition))
        return want(q, condition) || refuse_choice(q, "it does not depend on one comparison");
    if (!test_of(q, condition, &test, &inverted))
        return want(q, condition);
    return choose_by(q, test, inverted ? no : yes, inverted ? yes : no, out);
}

static bool extreme(const kernel_query *q, br_scev s, poly *out) {
    enum br_scev_kind kind = br_scev_kind(s);
    bool is_max = kind == BR_SMAX || kind == BR_UMAX;
    kernel_test test = {.is_unsigned = kind == BR_UMAX || kind == BR_UMIN};
    for (size_t i = 0; i < br_scev_count(s); i++) {
        br_scev part = br_scev_operand(s, i);
        poly other;
        if (!kernel_note_narrow(q, part, !test.is_unsigned) ||
            !kernel_number(q, part, i ? &other : out))
            return false;
        if (i == 0)
            continue;
        poly one = *out;
        test.left = one;
        test.right = other;
        if (!choose_by(q, test, is_max ? other : one, is_max ? one : other, out))
            return false;
    }
    return true;
}

/* Where branches join */

/* Does control come from `from` into `here` only if it left `branch` for its successor `to`? */
static bool comes_by(const kernel_query *q, LLVMBasicBlockRef branch, LLVMBasicBlockRef to,
                     LLVMBasicBlockRef from, LLVMBasicBlockRef here) {
    if (from == branch)
        return to == here;
    return to != here && host_has_one_edge(to) && br_dominates(q->values->f, to, from);
}

enum { MAX_WAYS = ST_LIMIT(16, 2) };

/* The incoming values, bits of a mask, that come by this successor of the branch; false if one
 * of them may come by either. */
static bool divide_ways(const kernel_query *q, LLVMBasicBlockRef branch, LLVMValueRef phi,
                        unsigned ways, unsigned *first) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(branch);
    LLVMBasicBlockRef here = LLVMGetInstructionParent(phi);
    *first = 0;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        if (!(ways >> i & 1))
            continue;
        bool one = comes_by(q, branch, LLVMGetSuccessor(end, 0), from, here);
        bool other = comes_by(q, branch, LLVMGetSuccessor(end, 1), from, here);
        if (one == other)
            return false;
        *first |= (unsigned)one << i;
    }
    return *first && *first != ways;
}

static bool is_choice(LLVMBasicBlockRef block) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    return br_is_conditional(end) && LLVMGetSuccessor(end, 0) != LLVMGetSuccessor(end, 1);
}

/* Does control come by this branch whenever it comes one of these ways? */
static bool leads_all(const kernel_query *q, LLVMBasicBlockRef branch, LLVMValueRef phi,
                      unsigned ways) {
    bool all = true;
    for (unsigned i = 0; i < LLVMCountIncoming(phi) && all; i++)
        all = !(ways >> i & 1) || br_dominates(q->values->f, branch, LLVMGetIncomingBlock(phi, i));
    return all;
}

static bool join_ways(const kernel_query *q, LLVMValueRef phi, unsigned ways, const poly *values,
                      poly *out) {
    unsigned first;
    int only = 0;
    while (!(ways >> only & 1))
        only++;
    *out = values[only];
    if (ways == 1u << only)
        return true;
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(q->values->function);
    for (; b; b = LLVMGetNextBasicBlock(b)) {
        poly yes, no;
        if (!is_choice(b) || !leads_all(q, b, phi, ways) || !divide_ways(q, b, phi, ways, &first))
            continue;
        return join_ways(q, phi, first, values, &yes) &&
               join_ways(q, phi, ways & ~first, values, &no) &&
               choose(q, LLVMGetCondition(LLVMGetBasicBlockTerminator(b)), yes, no, out);
    }
    return refuse_choice(q, "it comes from branches that are not understood");
}

static bool ways_of(const kernel_query *q, LLVMValueRef phi, poly *values, bool *same) {
    LLVMBasicBlockRef here = LLVMGetInstructionParent(phi);
    *same = true;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        if (br_dominates(q->values->f, here, LLVMGetIncomingBlock(phi, i)))
            return st_refuse(q->why, ST_NO_KERNEL_INDEX, "it is carried by a loop");
        br_scev s = br_scev_of(q->values->f, LLVMGetIncomingValue(phi, i));
        if (!kernel_note_narrow(q, s, true) || !kernel_number(q, s, &values[i]))
            return false;
        *same &= poly_equal(values[0], values[i]);
    }
    return true;
}

static bool join(const kernel_query *q, LLVMValueRef phi, poly *out) {
    unsigned count = LLVMCountIncoming(phi);
    bool same;
    if (count == 0 || count > MAX_WAYS)
        return refuse_choice(q, "it comes from more than 16 branches");
    poly *values = malloc(count * sizeof *values); /* not on the stack: phis may be nested */
    bool good = ways_of(q, phi, values, &same);
    *out = values[0];
    good = good && (same || join_ways(q, phi, (1u << count) - 1, values, out));
    free(values);
    return good;
}

static bool selected(const kernel_query *q, LLVMValueRef v, poly *out) {
    poly yes, no;
    bool holds;
    if (is_assumed(q->values, LLVMGetOperand(v, 0), &holds))
        return kernel_operand(q, LLVMGetOperand(v, holds ? 1 : 2), true, out);
    return kernel_operand(q, LLVMGetOperand(v, 1), true, &yes) &&
           kernel_operand(q, LLVMGetOperand(v, 2), true, &no) &&
           choose(q, LLVMGetOperand(v, 0), yes, no, out);
}

/* A condition as a number: x - (x > 0) is an index at a border, too. */
static bool truth(const kernel_query *q, LLVMValueRef v, poly *out) {
    poly yes = poly_int(q->values->f, 1), no = NULL;
    return choose(q, v, yes, no, out);
}

kernel_answer kernel_choice(const kernel_query *q, br_scev s, poly *out) {
    enum br_scev_kind kind = br_scev_kind(s);
    LLVMValueRef v = kind == BR_UNKNOWN ? br_scev_value(s) : NULL;
    bool good = false;
    if (kind == BR_SMAX || kind == BR_SMIN || kind == BR_UMAX || kind == BR_UMIN)
        good = extreme(q, s, out);
    else if (v && LLVMIsAPHINode(v))
        good = join(q, v, out);
    else if (v && LLVMIsASelectInst(v))
        good = selected(q, v, out);
    else if (v && LLVMIsAInstruction(v) &&
             LLVMTypeOf(v) == LLVMInt1TypeInContext(LLVMGetTypeContext(LLVMTypeOf(v))))
        good = truth(q, v, out);
    else
        return KERNEL_UNKNOWN;
    return good ? KERNEL_KNOWN : KERNEL_REFUSED;
}

LLVMValueRef kernel_next_choice(const kernel_query *q, LLVMValueRef v, kernel_choosing choosing) {
    poly ignored;
    q->values->choosing = choosing;
    q->values->wanted = NULL;
    kernel_poly(q, br_scev_of(q->values->f, v), &ignored);
    q->values->choosing = KERNEL_ASSUME_NONE;
    return q->values->wanted;
}
