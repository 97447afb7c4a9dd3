/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Choices: indices that are one thing or another, as clamped, mirrored and periodic ones are.
 *
 * However it is written - minimum, maximum, select, branches that join - a choice of two values
 * is one of them and, where a test holds, an excess: the difference to the other. That is a root,
 * and the index a polynomial again. Nested choices are sums of excesses, whose tests may speak of
 * the excess before. What they mean is asked when the axes are known (kernel/faces.c).
 */
#include "detect/kernel/region.h"

#include <stdlib.h>

static bool refuse_choice(kernel_region *k, const char *detail) {
    return kernel_refuse(k, ST_NO_KERNEL_BOUNDARY, detail);
}

static bool same_test(const kernel_test *a, const kernel_test *b) {
    return a->equal == b->equal && a->negated == b->negated && a->is_unsigned == b->is_unsigned &&
           poly_equal(a->left, b->left) && poly_equal(a->right, b->right);
}

/* `otherwise`, and where the test holds `where`. */
static bool with_excess(kernel_region *k, const kernel_test *test, poly where, poly otherwise,
                        poly *out) {
    poly excess = poly_sub(where, otherwise);
    kernel_root *r = NULL;
    if (!poly_is_known(excess) || !poly_is_known(test->left) || !poly_is_known(test->right))
        return refuse_choice(k, "it has too many terms");
    for (int i = 0; i < k->nroots && !r; i++)
        if (k->roots[i].role == KERNEL_EXCESS && same_test(&k->roots[i].test, test) &&
            poly_equal(k->roots[i].excess, excess))
            r = &k->roots[i];
    if (!r) {
        r = kernel_add_root(k, KERNEL_EXCESS);
        if (!r)
            return false;
        r->test = *test;
        r->excess = excess;
    }
    poly atom = poly_atom(k->region.f, kernel_root_atom(r));
    *out = poly_add(otherwise, atom);
    return poly_is_known(*out) || refuse_choice(k, "it has too many terms");
}

/* How much p looks like a coordinate on its way to a border: with roots, not subtracted, and with
 * little else. Only what is recognised depends on it, not what it is recognised as. */
static int plainness(const kernel_region *k, poly p) {
    int score = 0;
    bool varies = false;
    for (int i = 0; i < poly_count(p); i++) {
        const kernel_root *r = NULL;
        for (int a = 0; a < poly_terms(p)[i].degree && !r; a++)
            r = kernel_root_of(k, poly_terms(p)[i].atoms[a]);
        if (r && r->role == KERNEL_EXCESS)
            continue;
        varies |= r != NULL;
        score -= 1 + (r && poly_terms(p)[i].factor < 0 ? 100 : 0);
    }
    return varies ? score : score - 10000;
}

static bool choose_by(kernel_region *k, kernel_test test, poly yes, poly no, poly *out) {
    if (poly_equal(yes, no)) {
        *out = no;
        return true;
    }
    test.negated = !test.equal && plainness(k, yes) > plainness(k, no);
    return with_excess(k, &test, test.negated ? no : yes, test.negated ? yes : no, out);
}

/* An operand of a comparison, as an exact number. */
static bool operand(kernel_region *k, LLVMValueRef v, bool is_unsigned, poly *out) {
    br_scev s = br_scev_of(k->region.f, v);
    return kernel_note_narrow(k, s, !is_unsigned) && kernel_number(k, s, out);
}

/* The test that an integer comparison makes; `*inverted`: its opposite. */
static bool test_of(kernel_region *k, LLVMValueRef condition, kernel_test *t, bool *inverted) {
    LLVMIntPredicate p = LLVMGetICmpPredicate(condition);
    LLVMValueRef left = LLVMGetOperand(condition, 0), right = LLVMGetOperand(condition, 1);
    if (LLVMGetTypeKind(LLVMTypeOf(left)) != LLVMIntegerTypeKind ||
        LLVMGetIntTypeWidth(LLVMTypeOf(left)) < 32)
        return refuse_choice(k, "it compares something else than numbers of 32 or 64 bits");
    bool swap = p == LLVMIntSGT || p == LLVMIntUGT || p == LLVMIntSLE || p == LLVMIntULE;
    t->equal = p == LLVMIntEQ || p == LLVMIntNE;
    t->is_unsigned = p >= LLVMIntUGT && p <= LLVMIntULE;
    *inverted =
        p == LLVMIntNE || p == LLVMIntSGE || p == LLVMIntUGE || p == LLVMIntSLE || p == LLVMIntULE;
    return operand(k, swap ? right : left, t->is_unsigned, &t->left) &&
           operand(k, swap ? left : right, t->is_unsigned, &t->right);
}

bool kernel_choose(kernel_region *k, LLVMValueRef condition, poly yes, poly no, poly *out) {
    kernel_test test = {.equal = false};
    bool inverted = false;
    if (!LLVMIsAICmpInst(condition))
        return refuse_choice(k, "it does not depend on one comparison");
    if (!test_of(k, condition, &test, &inverted))
        return false;
    return choose_by(k, test, inverted ? no : yes, inverted ? yes : no, out);
}

bool kernel_extreme(kernel_region *k, br_scev s, poly *out) {
    enum br_scev_kind kind = br_scev_kind(s);
    bool is_max = kind == BR_SMAX || kind == BR_UMAX;
    kernel_test test = {.is_unsigned = kind == BR_UMAX || kind == BR_UMIN};
    for (size_t i = 0; i < br_scev_count(s); i++) {
        br_scev part = br_scev_operand(s, i);
        poly other;
        if (!kernel_note_narrow(k, part, !test.is_unsigned) ||
            !kernel_number(k, part, i ? &other : out))
            return false;
        if (i == 0)
            continue;
        poly one = *out;
        test.left = one;
        test.right = other;
        if (!choose_by(k, test, is_max ? other : one, is_max ? one : other, out))
            return false;
    }
    return true;
}

/* Where branches join */

static bool has_one_way_in(LLVMBasicBlockRef block) {
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    return use && !LLVMGetNextUse(use);
}

/* Does control come from `from` into `here` only if it left `branch` for its successor `to`? */
static bool comes_by(const kernel_region *k, LLVMBasicBlockRef branch, LLVMBasicBlockRef to,
                     LLVMBasicBlockRef from, LLVMBasicBlockRef here) {
    if (from == branch)
        return to == here;
    return to != here && has_one_way_in(to) && br_dominates(k->region.f, to, from);
}

enum { MAX_WAYS = ST_LIMIT(16, 2) };

/* The incoming values, bits of a mask, that come by this successor of the branch; false if one
 * of them may come by either. */
static bool divide_ways(const kernel_region *k, LLVMBasicBlockRef branch, LLVMValueRef phi,
                        unsigned ways, unsigned *first) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(branch);
    LLVMBasicBlockRef here = LLVMGetInstructionParent(phi);
    *first = 0;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        if (!(ways >> i & 1))
            continue;
        bool one = comes_by(k, branch, LLVMGetSuccessor(end, 0), from, here);
        bool other = comes_by(k, branch, LLVMGetSuccessor(end, 1), from, here);
        if (one == other)
            return false;
        *first |= (unsigned)one << i;
    }
    return *first && *first != ways;
}

static bool is_choice(LLVMBasicBlockRef block) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    return LLVMIsABranchInst(end) && LLVMIsConditional(end) &&
           LLVMGetSuccessor(end, 0) != LLVMGetSuccessor(end, 1);
}

static bool join_ways(kernel_region *k, LLVMValueRef phi, unsigned ways, const poly *values,
                      poly *out) {
    unsigned first;
    int only = 0;
    while (!(ways >> only & 1))
        only++;
    *out = values[only];
    if (ways == 1u << only)
        return true;
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->region.function);
    for (; b; b = LLVMGetNextBasicBlock(b)) {
        poly yes, no;
        if (!is_choice(b) || !br_dominates(k->region.f, b, LLVMGetInstructionParent(phi)) ||
            !divide_ways(k, b, phi, ways, &first))
            continue;
        return join_ways(k, phi, first, values, &yes) &&
               join_ways(k, phi, ways & ~first, values, &no) &&
               kernel_choose(k, LLVMGetCondition(LLVMGetBasicBlockTerminator(b)), yes, no, out);
    }
    return refuse_choice(k, "it comes from branches that are not understood");
}

static bool ways_of(kernel_region *k, LLVMValueRef phi, poly *values, bool *same) {
    LLVMBasicBlockRef here = LLVMGetInstructionParent(phi);
    *same = true;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        if (br_dominates(k->region.f, here, LLVMGetIncomingBlock(phi, i)))
            return kernel_refuse(k, ST_NO_KERNEL_INDEX, "it is carried by a loop");
        br_scev s = br_scev_of(k->region.f, LLVMGetIncomingValue(phi, i));
        if (!kernel_note_narrow(k, s, true) || !kernel_number(k, s, &values[i]))
            return false;
        *same &= poly_equal(values[0], values[i]);
    }
    return true;
}

bool kernel_join(kernel_region *k, LLVMValueRef phi, poly *out) {
    unsigned count = LLVMCountIncoming(phi);
    bool same;
    if (count == 0 || count > MAX_WAYS)
        return refuse_choice(k, "it comes from more than 16 branches");
    poly *values = malloc(count * sizeof *values); /* not on the stack: phis may be nested */
    bool good = ways_of(k, phi, values, &same);
    *out = values[0];
    good = good && (same || join_ways(k, phi, (1u << count) - 1, values, out));
    free(values);
    return good;
}
