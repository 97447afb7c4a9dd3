/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Numbers that the time loop carries and that come round: `it = 1 - it`, `it ^= 1`, two indices
 * that are exchanged, `now = (now + 1) % 3`. Each starts as a constant and is computed from such
 * numbers alone, so its value in each step of the period is a constant too, and the period ends
 * where all of them are as at the start.
 */
#include "detect/common/affine.h"
#include "detect/common/flow.h"
#include "detect/common/limits.h"
#include "detect/host/region.h"
#include "detect/host/resolver.h"
#include "detect/host/rotate.h"

enum {
    MAX_VISITS = ST_LIMIT(400, 12), /* of instructions, until a number counts as not understood */
    MAX_CARRIED = ST_LIMIT(8, 1)
};

typedef struct evaluation {
    const host_region *r;
    int visits;
} evaluation;

static bool evaluate(evaluation *e, LLVMValueRef v, int step, uint64_t *out);

static unsigned width(LLVMValueRef v) {
    LLVMTypeRef t = LLVMTypeOf(v);
    return LLVMGetTypeKind(t) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(t) : 0;
}

static uint64_t low_bits(uint64_t v, unsigned bits) {
    return bits < 64 ? v & ((UINT64_C(1) << bits) - 1) : v;
}

static int64_t signed_bits(uint64_t v, unsigned bits) {
    return (int64_t)(v << (64 - bits)) >> (64 - bits);
}

/* A phi of the time loop's head: its start value, then what the step before left. */
static bool carried(evaluation *e, LLVMValueRef phi, int step, uint64_t *out) {
    LLVMBasicBlockRef latch = br_loop_latch(e->r->time);
    if (LLVMCountIncoming(phi) != 2)
        return false;
    unsigned next = LLVMGetIncomingBlock(phi, 0) == latch ? 0 : 1;
    LLVMValueRef start = LLVMGetIncomingValue(phi, 1 - next);
    if (!LLVMIsAConstantInt(start))
        return false;
    if (step > 0)
        return evaluate(e, LLVMGetIncomingValue(phi, next), step - 1, out);
    *out = LLVMConstIntGetZExtValue(start);
    return true;
}

/* The value of a phi to which all branches bring the same value. */
static bool joined(evaluation *e, LLVMValueRef phi, int step, uint64_t *out) {
    uint64_t other;
    if (!evaluate(e, LLVMGetIncomingValue(phi, 0), step, out))
        return false;
    for (unsigned i = 1; i < LLVMCountIncoming(phi); i++)
        if (!evaluate(e, LLVMGetIncomingValue(phi, i), step, &other) || other != *out)
            return false;
    return true;
}

static bool compare(LLVMIntPredicate p, uint64_t a, uint64_t b, unsigned bits) {
    int64_t x = signed_bits(a, bits), y = signed_bits(b, bits);
    switch (p) {
    case LLVMIntEQ:
        return a == b;
    case LLVMIntNE:
        return a != b;
    case LLVMIntUGT:
        return a > b;
    case LLVMIntUGE:
        return a >= b;
    case LLVMIntULT:
        return a < b;
    case LLVMIntULE:
        return a <= b;
    case LLVMIntSGT:
        return x > y;
    case LLVMIntSGE:
        return x >= y;
    case LLVMIntSLT:
        return x < y;
    default:
        return x <= y;
    }
}

static bool combine(LLVMValueRef v, uint64_t a, uint64_t b, uint64_t *out) {
    unsigned bits = width(LLVMGetOperand(v, 0));
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAdd:
        *out = a + b;
        return true;
    case LLVMSub:
        *out = a - b;
        return true;
    case LLVMXor:
        *out = a ^ b;
        return true;
    case LLVMAnd:
        *out = a & b;
        return true;
    case LLVMOr:
        *out = a | b;
        return true;
    case LLVMICmp:
        *out = compare(LLVMGetICmpPredicate(v), a, b, bits);
        return true;
    case LLVMURem:
        *out = b ? a % b : 0;
        return b != 0;
    case LLVMSRem: /* of numbers that are not negative */
        *out = b ? a % b : 0;
        return signed_bits(a, bits) >= 0 && signed_bits(b, bits) > 0;
    default:
        return false;
    }
}

static bool computed(evaluation *e, LLVMValueRef v, int step, uint64_t *out) {
    uint64_t a, b;
    if (LLVMGetNumOperands(v) < 1 || !width(LLVMGetOperand(v, 0)) ||
        !evaluate(e, LLVMGetOperand(v, 0), step, &a))
        return false;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMZExt:
    case LLVMTrunc:
        *out = a;
        return true;
    case LLVMSExt:
        *out = (uint64_t)signed_bits(a, width(LLVMGetOperand(v, 0)));
        return true;
    case LLVMSelect:
        return evaluate(e, LLVMGetOperand(v, a ? 1 : 2), step, out);
    default:
        return LLVMGetNumOperands(v) == 2 && evaluate(e, LLVMGetOperand(v, 1), step, &b) &&
               combine(v, a, b, out);
    }
}

static bool evaluate(evaluation *e, LLVMValueRef v, int step, uint64_t *out) {
    unsigned bits = width(v);
    if (bits == 0 || bits > 64 || e->visits++ == MAX_VISITS)
        return false;
    bool known = false;
    if (LLVMIsAConstantInt(v)) {
        *out = LLVMConstIntGetZExtValue(v);
        known = true;
    } else if (LLVMIsAPHINode(v)) {
        known = LLVMGetInstructionParent(v) == br_loop_header(e->r->time) ? carried(e, v, step, out)
                                                                          : joined(e, v, step, out);
    } else if (host_in_loop(e->r->outer, v)) {
        known = computed(e, v, step, out);
    }
    *out = known ? low_bits(*out, bits) : 0;
    return known;
}

typedef struct carried_set {
    LLVMValueRef phi[MAX_CARRIED];
    int count;
} carried_set;

/* All that v is computed from, in this step or those before, among what the time loop carries. */
static bool collect(evaluation *e, LLVMValueRef v, carried_set *set) {
    if (!host_in_loop(e->r->outer, v))
        return true;
    if (e->visits++ == MAX_VISITS)
        return false;
    if (LLVMIsAPHINode(v)) {
        for (int i = 0; i < set->count; i++)
            if (set->phi[i] == v)
                return true;
        if (set->count == MAX_CARRIED)
            return false;
        set->phi[set->count++] = v;
        for (unsigned i = 0; i < LLVMCountIncoming(v); i++)
            if (!collect(e, LLVMGetIncomingValue(v, i), set))
                return false;
        return true;
    }
    for (int i = 0; i < LLVMGetNumOperands(v); i++)
        if (!collect(e, LLVMGetOperand(v, (unsigned)i), set))
            return false;
    return true;
}

/* Are all these after `period` steps what they were at the start? */
static bool comes_round(evaluation *e, LLVMValueRef v, int period) {
    carried_set set = {.count = 0};
    uint64_t first, again;
    if (!collect(e, v, &set))
        return false;
    for (int i = 0; i < set.count; i++)
        if (!evaluate(e, set.phi[i], 0, &first) || !evaluate(e, set.phi[i], period, &again) ||
            first != again)
            return false;
    return true;
}

bool host_toggle(const host_region *r, LLVMValueRef v, int step, int64_t *value) {
    evaluation e = {r, 0};
    uint64_t bits;
    if (!r->time || r->twin || !host_in_loop(r->outer, v) || !width(v) ||
        !evaluate(&e, v, step, &bits) || !comes_round(&e, v, r->period))
        return false;
    *value = signed_bits(bits, width(v));
    return true;
}

host_answer host_toggle_value(void *region, const host_query *q, LLVMValueRef v, host_affine *out) {
    int64_t number;
    if (!host_toggle(region, v, q->step, &number))
        return HOST_UNKNOWN;
    const host_region *r = region;
    out->base = poly_int(r->f, number);
    for (int l = 0; l < HOST_MAX_LOOPS; l++)
        out->step[l] = NULL;
    return HOST_KNOWN;
}

int host_toggle_period(const host_region *r) {
    LLVMValueRef i = LLVMGetFirstInstruction(br_loop_header(r->time));
    int longest = 0;
    for (; i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
        for (int period = 2; period <= ST_MAX_BUFFERS; period++) {
            evaluation e = {r, 0};
            if (width(i) && comes_round(&e, i, period)) {
                longest = period > longest ? period : longest;
                break;
            }
        }
    return longest;
}
