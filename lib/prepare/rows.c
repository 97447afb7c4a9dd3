/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a number is in rows of one kind: those where the sum of some outer loops' iterations is
 * even, and those where it is odd. And the comparisons at the ends of rows.
 */
#include "prepare/rows.h"
#include "detect/common/calls.h"
#include "detect/common/flow.h"

enum { MAX_DEPTH = 12 };

/* Which loops' iterations decide whether the number is even, and what is added to them? */
static bool find_parity(const prep_rows *m, br_scev s, int depth, uint32_t *loops, int64_t *plus) {
    int64_t step, part;
    uint32_t other;
    *loops = 0;
    *plus = 0;
    if (br_scev_int(s, plus))
        return true;
    enum br_scev_kind kind = br_scev_kind(s);
    if (depth == 0 || br_scev_count(s) == 0)
        return false;
    if (kind == BR_ZEXT || kind == BR_SEXT || kind == BR_TRUNC)
        return find_parity(m, br_scev_operand(s, 0), depth - 1, loops, plus);
    for (size_t i = 0; kind == BR_ADD && i < br_scev_count(s); i++) {
        if (!find_parity(m, br_scev_operand(s, i), depth - 1, &other, &part))
            return false;
        *loops ^= other;
        *plus = (*plus ^ part) & 1;
    }
    if (kind != BR_ADDREC)
        return kind == BR_ADD;
    int i = 0;
    while (i < m->naround && br_scev_loop(s) != m->around[i])
        i++;
    if (i == m->naround || br_scev_count(s) != 2 || !br_scev_int(br_scev_operand(s, 1), &step) ||
        !find_parity(m, br_scev_operand(s, 0), depth - 1, loops, plus))
        return false;
    *loops ^= (uint32_t)(step & 1) << i;
    return true;
}

/* The number's lowest bit in rows where the sum of iterations is even (0) or odd (1). All such bits
 * depend on the same loops. */
static bool bit_at(prep_rows *m, LLVMValueRef v, int odd, int64_t *out) {
    uint32_t loops;
    if (!find_parity(m, br_scev_of(m->f, v), MAX_DEPTH, &loops, out))
        return false;
    if (loops && !m->loops)
        m->loops = loops;
    *out = (*out ^ (loops ? odd : 0)) & 1;
    return !loops || loops == m->loops;
}

bool rows_is_constant(LLVMValueRef v, uint64_t number) {
    LLVMValueRef c = LLVMIsAConstantInt(v);
    return c && LLVMGetIntTypeWidth(LLVMTypeOf(c)) <= 64 && LLVMConstIntGetZExtValue(c) == number;
}

/* Of a number that is cut to fewer bits and stays the same one, the number. */
static LLVMValueRef before_cut(LLVMValueRef v) {
    bool same = LLVMIsATruncInst(v) && LLVMGetNSW(v);
    return same ? LLVMGetOperand(v, 0) : v;
}

/* Is it a remainder by two of a number that is not negative, or the lowest bit? */
static bool is_lowest_bit(const prep_rows *m, LLVMValueRef v, LLVMOpcode op) {
    int64_t least, greatest;
    if (op == LLVMAnd)
        return rows_is_constant(LLVMGetOperand(v, 1), 1);
    if ((op != LLVMURem && op != LLVMSRem) || !rows_is_constant(LLVMGetOperand(v, 1), 2))
        return false;
    LLVMValueRef of = before_cut(LLVMGetOperand(v, 0));
    br_scev_signed_range(m->f, br_scev_of(m->f, of), &least, &greatest);
    return op == LLVMURem || least >= 0;
}

static bool number_at(prep_rows *m, LLVMValueRef v, int odd, int depth, int64_t *out);

static bool compare_at(prep_rows *m, LLVMValueRef v, int odd, int depth, int64_t *out) {
    LLVMIntPredicate p = LLVMGetICmpPredicate(v);
    int64_t x, y;
    if ((p != LLVMIntEQ && p != LLVMIntNE) ||
        !number_at(m, LLVMGetOperand(v, 0), odd, depth - 1, &x) ||
        !number_at(m, LLVMGetOperand(v, 1), odd, depth - 1, &y))
        return false;
    *out = (x == y) == (p == LLVMIntEQ);
    return true;
}

static bool combine_at(prep_rows *m, LLVMValueRef v, int odd, int depth, int64_t *out) {
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    int64_t x, y;
    if ((op != LLVMAdd && op != LLVMSub && op != LLVMXor && op != LLVMOr) ||
        !number_at(m, LLVMGetOperand(v, 0), odd, depth - 1, &x) ||
        !number_at(m, LLVMGetOperand(v, 1), odd, depth - 1, &y))
        return false;
    *out = op == LLVMAdd ? x + y : op == LLVMSub ? x - y : op == LLVMXor ? x ^ y : x | y;
    return *out > -ROWS_MOST_FIRST && *out < ROWS_MOST_FIRST;
}

bool rows_take_turns(LLVMValueRef next, LLVMValueRef phi) {
    LLVMOpcode op = LLVMIsAInstruction(next) ? LLVMGetInstructionOpcode(next) : LLVMRet;
    unsigned own = op == LLVMSub;
    return (op == LLVMSub || op == LLVMXor) && LLVMGetOperand(next, own) == phi &&
           LLVMIsAConstantInt(LLVMGetOperand(next, !own));
}

static bool is_same_turn(LLVMValueRef a, LLVMValueRef b) {
    unsigned c = LLVMGetInstructionOpcode(a) != LLVMSub;
    return LLVMGetInstructionOpcode(a) == LLVMGetInstructionOpcode(b) &&
           LLVMGetOperand(a, c) == LLVMGetOperand(b, c);
}

/* The loops in whose iterations a number takes turns with another one: those around, from the
 * inside out, of which each begins with the number of the one around it. *start is where all
 * begin, *turn what makes a number of the other one. */
static bool find_turns(const prep_rows *m, LLVMValueRef phi, uint32_t *loops, LLVMValueRef *turn,
                       LLVMValueRef *start) {
    *loops = 0;
    *turn = NULL;
    *start = phi;
    for (int i = 0; i < m->naround && LLVMIsAPHINode(*start); i++) {
        if (!host_is_at_head(m->around[i], *start) || LLVMCountIncoming(*start) != 2)
            continue;
        LLVMValueRef next = host_incoming(*start, m->around[i], true);
        if (!rows_take_turns(next, *start) || (*turn && !is_same_turn(next, *turn)))
            return false;
        *turn = next;
        *loops |= 1u << i;
        *start = host_incoming(*start, m->around[i], false);
    }
    return *turn && LLVMIsAConstantInt(*start);
}

/* A number that takes turns with another one from row to row. */
static bool turn_at(prep_rows *m, LLVMValueRef phi, int odd, int64_t *out) {
    uint32_t loops;
    LLVMValueRef turn, start;
    if (!find_turns(m, phi, &loops, &turn, &start) || (m->loops && m->loops != loops))
        return false;
    m->loops = loops;
    bool less = LLVMGetInstructionOpcode(turn) == LLVMSub;
    int64_t first = LLVMConstIntGetSExtValue(start);
    int64_t c = LLVMConstIntGetSExtValue(LLVMGetOperand(turn, !less));
    if (first < 0 || first >= ROWS_MOST_FIRST || c < 0 || c >= ROWS_MOST_FIRST)
        return false;
    *out = !odd ? first : less ? c - first : first ^ c;
    return true;
}

/* The value in rows of this kind, if it is a small number. */
static bool number_at(prep_rows *m, LLVMValueRef v, int odd, int depth, int64_t *out) {
    LLVMValueRef constant = LLVMIsAConstantInt(v);
    bool is_bit = host_is_bit(v);
    int64_t which;
    if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind ||
        LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 64)
        return false;
    if (constant) {
        *out = is_bit ? (int64_t)LLVMConstIntGetZExtValue(constant)
                      : LLVMConstIntGetSExtValue(constant);
        return *out > -ROWS_MOST_FIRST && *out < ROWS_MOST_FIRST;
    }
    if (depth == 0 || !LLVMIsAInstruction(v))
        return false;
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    if (op == LLVMPHI && !is_bit)
        return turn_at(m, v, odd, out);
    if (op == LLVMICmp)
        return compare_at(m, v, odd, depth, out);
    if (is_bit)
        return bit_at(m, v, odd, out);
    if (is_lowest_bit(m, v, op))
        return bit_at(m, LLVMGetOperand(v, 0), odd, out);
    if (op == LLVMZExt && host_is_bit(LLVMGetOperand(v, 0)))
        return number_at(m, LLVMGetOperand(v, 0), odd, depth - 1, out);
    if ((op == LLVMZExt || op == LLVMSExt) && !host_is_bit(LLVMGetOperand(v, 0)))
        return number_at(m, LLVMGetOperand(v, 0), odd, depth - 1, out) &&
               (*out >= 0 || op == LLVMSExt);
    if (op == LLVMSelect)
        return number_at(m, LLVMGetOperand(v, 0), odd, depth - 1, &which) &&
               number_at(m, LLVMGetOperand(v, which ? 1 : 2), odd, depth - 1, out);
    return combine_at(m, v, odd, depth, out);
}

bool rows_number(prep_rows *m, LLVMValueRef v, int odd, int64_t *out) {
    return number_at(m, v, odd, MAX_DEPTH, out);
}

LLVMIntPredicate rows_below(LLVMValueRef c, bool holds, unsigned *side) {
    LLVMIntPredicate p = LLVMIsAICmpInst(c) ? LLVMGetICmpPredicate(c) : 0;
    bool more = p == LLVMIntSGT || p == LLVMIntSGE || p == LLVMIntUGT || p == LLVMIntUGE;
    bool less = p == LLVMIntSLT || p == LLVMIntSLE || p == LLVMIntULT || p == LLVMIntULE;
    bool equal = p == LLVMIntSGE || p == LLVMIntUGE || p == LLVMIntSLE || p == LLVMIntULE;
    bool sign = p == LLVMIntSGT || p == LLVMIntSGE || p == LLVMIntSLT || p == LLVMIntSLE;
    if (!more && !less)
        return 0;
    *side = more == holds;
    equal = equal == holds;
    return sign ? (equal ? LLVMIntSLE : LLVMIntSLT) : (equal ? LLVMIntULE : LLVMIntULT);
}

bool rows_may_be_equal(LLVMIntPredicate p) {
    return p == LLVMIntSLE || p == LLVMIntULE;
}

bool rows_is_signed(LLVMIntPredicate p) {
    return p == LLVMIntSLT || p == LLVMIntSLE;
}
