/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Values that follow the number of the time step, modulo 2 or 3: what they are in each step of the
 * period. ScalarEvolution writes `t % 2` as zext {false,+,true}<t>, and `t % 3` as t - t / 3 * 3
 * where t cannot be negative; elsewhere `t % 3` is a value like others. Also `t % 2 ? a : b`.
 */
#include "detect/common/affine.h"
#include "detect/common/limits.h"
#include "detect/host/address.h"
#include "detect/host/region.h"
#include "detect/host/resolver.h"
#include "detect/host/rotate.h"

/* t % 3 */

static int header_index(LLVMValueRef phi, LLVMBasicBlockRef latch) {
    return LLVMGetIncomingBlock(phi, 0) == latch ? 1 : 0;
}

/* The divisor of t % 3. */
static const int turn = HOST_TURN;

static bool is_turn(LLVMValueRef v) {
    LLVMValueRef by =
        LLVMIsAInstruction(v) && LLVMGetNumOperands(v) == 2 ? LLVMGetOperand(v, 1) : v;
    LLVMOpcode op = LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : LLVMAdd;
    return (op == LLVMURem || op == LLVMSRem) && LLVMIsAConstantInt(by) &&
           LLVMConstIntGetSExtValue(by) == turn;
}

/* {start,+,step}<time>, perhaps extended, with a constant step. */
static bool counts_steps(const host_region *r, br_scev s) {
    s = br_scev_kind(s) == BR_ZEXT ? br_scev_operand(s, 0) : s;
    return r->time && br_scev_kind(s) == BR_ADDREC && br_scev_loop(s) == r->time &&
           br_scev_count(s) == 2 && br_scev_kind(br_scev_operand(s, 1)) == BR_CONSTANT;
}

bool host_has_turn(const host_region *r) {
    LLVMBasicBlockRef blocks[HOST_MAX_BLOCKS];
    size_t count = br_loop_blocks(r->time, blocks, HOST_MAX_BLOCKS);
    for (size_t b = 0; b < count && b < HOST_MAX_BLOCKS; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(blocks[b]); i; i = LLVMGetNextInstruction(i))
            if (is_turn(i) && counts_steps(r, br_scev_of(r->f, LLVMGetOperand(i, 0))))
                return true;
    return false;
}

/* A recurrence that counts steps, without wrapping its type. */
static bool expand_count(const host_query *q, br_scev s, host_affine *out) {
    host_region *r = q->r;
    unsigned bits = br_scev_bits(r->f, s);
    host_query counting = *q;
    counting.narrow = bits <= 32 ? bits : 0;
    counting.step = 0;
    bool good = host_evaluate(&counting, s, out);
    for (int i = 0; i < poly_count(out->base); i++)
        good = good &&
               (bits <= 32 || poly_terms(out->base)[i].degree <= 1); /* for the check's 128 bits */
    return good || host_not_affine(q, "it counts steps in a way not known");
}

/* x % 3 in a step of the period, where x counts steps; `step` may be -1. Requires that x is never
 * negative and does not wrap. With a start known only at run time the values are three atoms, the
 * same ones whatever constant is added to it: a multiple of 3 keeps their sums from being negative.
 */
static bool turned(const host_query *q, br_scev s, int step, bool is_signed, host_affine *out) {
    host_region *r = q->r;
    static const int64_t positive = 3ll << 40;
    br_scev x = br_scev_kind(s) == BR_ZEXT ? br_scev_operand(s, 0) : s, rest;
    unsigned bits = br_scev_bits(r->f, x);
    int64_t by, at;
    host_affine count;
    if (!expand_count(q, x, &count) || !poly_is_int(count.step[r->nloops - 1], &by))
        return false;
    if (step < 0)
        count.base = poly_sub(count.base, count.step[r->nloops - 1]);
    if (!poly_is_shifted(count.base, &rest, &at))
        return host_not_affine(q, "it counts steps in a way not known");
    if (!host_add_range(q, &count, bits <= 32 ? bits - is_signed : 32, false))
        return false;
    at = (at % turn + (step < 0 ? 0 : by % turn * step)) % turn;
    at = at < 0 ? at + turn : at;
    host_set_int(r, out, at);
    if (rest)
        out->base = poly_atom(r->f, br_scev_remainder(r->f, rest, at + positive, (unsigned)turn));
    return true;
}

static bool is_turned(const host_query *q, LLVMValueRef v, int step, host_affine *out) {
    host_region *r = q->r;
    br_scev s = is_turn(v) ? br_scev_of(r->f, LLVMGetOperand(v, 0)) : NULL;
    return s && counts_steps(r, s) &&
           turned(q, s, step, LLVMGetInstructionOpcode(v) == LLVMSRem, out);
}

/* Is `first` what `next`, a recurrence's remainder, would have been a step before its first? */
static bool precedes(const host_query *q, LLVMValueRef first, LLVMValueRef next) {
    host_region *r = q->r;
    br_scev x = br_scev_of(r->f, LLVMGetOperand(next, 0));
    host_affine count, start;
    int64_t value;
    if (!expand_count(q, br_scev_kind(x) == BR_ZEXT ? br_scev_operand(x, 0) : x, &count))
        return false;
    count.base = poly_sub(count.base, count.step[r->nloops - 1]);
    if (LLVMIsAConstantInt(first))
        return poly_is_int(count.base, &value) && value >= 0 &&
               LLVMConstIntGetSExtValue(first) == value % turn;
    return is_turn(first) && expand_count(q, br_scev_of(r->f, LLVMGetOperand(first, 0)), &start) &&
           poly_equal(start.base, count.base);
}

/* t % 3; or a phi of the time loop that is (t + c) % 3 computed one step before. */
static bool turning_value(const host_query *q, LLVMValueRef v, host_affine *out) {
    host_region *r = q->r;
    if (!LLVMIsAPHINode(v) || LLVMGetInstructionParent(v) != br_loop_header(r->time) ||
        LLVMCountIncoming(v) != 2)
        return is_turned(q, v, q->step, out);
    int first = header_index(v, br_loop_latch(r->time));
    LLVMValueRef next = LLVMGetIncomingValue(v, (unsigned)!first);
    return is_turned(q, next, q->step - 1, out) &&
           precedes(q, LLVMGetIncomingValue(v, (unsigned)first), next);
}

host_answer host_turning_value(void *region, const host_query *q, LLVMValueRef v,
                               host_affine *out) {
    const host_region *r = region;
    return r->period == turn && turning_value(q, v, out) ? HOST_KNOWN : HOST_UNKNOWN;
}

/* 3 * (t / 3) */

/* t / 3, which the product multiplies by a multiple of 3? */
static bool is_quotient(const host_region *r, br_scev s) {
    int64_t divisor;
    return br_scev_kind(s) == BR_UDIV && counts_steps(r, br_scev_operand(s, 0)) &&
           br_scev_kind(br_scev_operand(s, 1)) == BR_CONSTANT &&
           br_scev_int(br_scev_operand(s, 1), &divisor) && divisor == turn && r->period == turn;
}

static bool has_quotient(const host_region *r, br_scev product) {
    int64_t factor;
    br_scev first = br_scev_operand(product, 0); /* a constant comes first */
    if (br_scev_kind(first) != BR_CONSTANT || !br_scev_int(first, &factor) || factor % turn)
        return false;
    int count = 0;
    for (size_t i = 1; i < br_scev_count(product); i++)
        count += is_quotient(r, br_scev_operand(product, i));
    return count == 1;
}

/* Evaluates t / 3 * 3, as t - t % 3. */
static bool whole_turns(const host_query *q, br_scev s, host_affine *out) {
    host_affine rest;
    if (!host_evaluate(q, br_scev_operand(s, 0), out) ||
        !turned(q, br_scev_operand(s, 0), q->step, false, &rest))
        return false;
    out->base = poly_sub(out->base, rest.base);
    return true;
}

/* n * (t / 3) * ..., where n is a multiple of 3. */
host_answer host_whole_turns(const host_query *q, br_scev s, host_affine *out) {
    host_affine part;
    int64_t number;
    if (br_scev_kind(s) != BR_MUL || !has_quotient(q->r, s))
        return HOST_UNKNOWN;
    br_scev_int(br_scev_operand(s, 0), &number);
    host_set_int(q->r, out, number / turn);
    for (size_t i = 1; i < br_scev_count(s); i++) {
        br_scev factor = br_scev_operand(s, i);
        bool good = is_quotient(q->r, factor) ? whole_turns(q, factor, &part)
                                              : host_evaluate(q, factor, &part);
        if (!good || !host_multiply(q, &part, out))
            return HOST_REFUSED;
    }
    return HOST_KNOWN;
}

/* t % 2 */

/* {start,+,true}<time> of one bit; a step known only at run time may be even. */
static bool is_alternating(const host_region *r, br_scev s) {
    int64_t step;
    return r->time && br_scev_kind(s) == BR_ADDREC && br_scev_bits(r->f, s) == 1 &&
           br_scev_loop(s) == r->time && br_scev_count(s) == 2 &&
           br_scev_kind(br_scev_operand(s, 1)) == BR_CONSTANT &&
           br_scev_int(br_scev_operand(s, 1), &step) && (step & 1);
}

/* zext i1 {start,+,true}<time>: start in even steps, its complement in odd ones. A start of
 * 1 + x is the complement of x, so that t % 2 and (t + 1) % 2 from any t are seen to be opposite.
 */
static bool parity(const host_query *q, br_scev s, host_affine *out) {
    host_region *r = q->r;
    br_scev inner = br_scev_operand(s, 0), start = br_scev_operand(inner, 0);
    poly even, one = poly_int(r->f, 1);
    int64_t constant;
    int step = q->step;
    if (br_scev_kind(start) == BR_ADD && br_scev_count(start) == 2 &&
        br_scev_kind(br_scev_operand(start, 0)) == BR_CONSTANT) {
        start = br_scev_operand(start, 1); /* a constant comes first, and of one bit it is 1 */
        step++;
    }
    if (r->period % 2)
        return host_not_affine(q, "buffers rotate in two different ways");
    if (br_scev_kind(start) == BR_CONSTANT && br_scev_int(start, &constant))
        even = poly_int(r->f, constant & 1);
    else
        even = poly_atom(r->f, br_scev_zext(r->f, start, br_scev_bits(r->f, s)));
    host_set_int(r, out, 0);
    out->base = step % 2 ? poly_sub(one, even) : even;
    return true;
}

host_answer host_parity(const host_query *q, br_scev s, host_affine *out) {
    if (br_scev_kind(s) != BR_ZEXT || !is_alternating(q->r, br_scev_operand(s, 0)))
        return HOST_UNKNOWN;
    return parity(q, s, out) ? HOST_KNOWN : HOST_REFUSED;
}

/* Is `condition` a bit that alternates with the time step? Then its value in `step`. */
static bool alternates(const host_query *q, LLVMValueRef condition, bool *value) {
    host_region *r = q->r;
    bool inverse = false;
    int64_t constant;
    LLVMValueRef bit = condition;
    if (LLVMIsAICmpInst(condition)) {
        LLVMValueRef other = LLVMGetOperand(condition, 1);
        LLVMIntPredicate p = LLVMGetICmpPredicate(condition);
        if (!LLVMIsAConstantInt(other) || LLVMConstIntGetZExtValue(other) > 1 ||
            (p != LLVMIntEQ && p != LLVMIntNE))
            return false;
        bit = LLVMGetOperand(condition, 0);
        inverse = (p == LLVMIntEQ) == (LLVMConstIntGetZExtValue(other) == 0);
    }
    br_scev s = br_scev_of(r->f, bit);
    if (br_scev_kind(s) == BR_ZEXT)
        s = br_scev_operand(s, 0);
    if (host_toggle(r, condition, q->step, &constant)) {
        *value = constant != 0;
        return true;
    }
    if (r->period % 2 || !is_alternating(r, s))
        return false;
    br_scev start = br_scev_operand(s, 0);
    if (br_scev_kind(start) != BR_CONSTANT || !br_scev_int(start, &constant))
        return false;
    *value = ((constant & 1) ^ (q->step & 1) ^ inverse) != 0;
    return true;
}

host_answer host_alternating_value(void *region, const host_query *q, LLVMValueRef v,
                                   host_affine *out) {
    bool first;
    (void)region;
    if (!LLVMIsASelectInst(v) || !alternates(q, LLVMGetOperand(v, 0), &first))
        return HOST_UNKNOWN;
    br_scev chosen = br_scev_of(q->r->f, LLVMGetOperand(v, first ? 1 : 2));
    return host_evaluate(q, chosen, out) ? HOST_KNOWN : HOST_REFUSED;
}
