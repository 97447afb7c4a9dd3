/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * At -O3 flang makes a version of a loop for arrays whose elements have no gaps. There it divides
 * the distance of a row, which the array's descriptor has in bytes, by the size of an element:
 *
 *     (row * (i - 1)) >> 3             ->          (row >> 3) * (i - 1)
 *
 * The second form is a multiple of the loop's counter. Both are the same number if `row` is a
 * multiple of the size, and nothing wraps: a row has at most 2^29 bytes, and ScalarEvolution knows
 * that the other factor has at most 2^32. A sum of up to four such products may be divided.
 */
#include "prepare/quotients.h"
#include "detect/common/flow.h"

#include <stdlib.h>

enum { MOST_SHIFT = 4, MOST_PRODUCTS = 4 };
static const int64_t most_factor = INT64_C(1) << 29, most_other = INT64_C(1) << 32;

static bool is(LLVMValueRef v, LLVMOpcode opcode) {
    return LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == opcode;
}

static bool is_sum(LLVMValueRef v) {
    return is(v, LLVMAdd) || is(v, LLVMSub);
}

/* Is the constant a number from -most to most? */
static bool is_at_most(LLVMValueRef v, int64_t most) {
    int64_t n = LLVMConstIntGetSExtValue(v);
    return n >= -most && n <= most;
}

static bool is_multiple(LLVMValueRef v, unsigned by) {
    return LLVMIsAConstantInt(v) && LLVMConstIntGetSExtValue(v) % (1 << by) == 0 &&
           is_at_most(v, most_factor);
}

/* Does the value stay the same in the loop? Constants count as such only if they are multiples. */
static bool is_factor(const prep_quotients *q, LLVMValueRef v, unsigned by) {
    if (LLVMIsAConstantInt(v))
        return is_multiple(v, by);
    return !LLVMIsAConstant(v) && !host_in_loop(q->l, v);
}

static bool is_small(const prep_quotients *q, LLVMValueRef v) {
    int64_t least, most;
    if (LLVMIsAConstantInt(v))
        return is_at_most(v, most_other);
    br_scev_signed_range(q->f, br_scev_of(q->f, v), &least, &most);
    return least >= -most_other && most <= most_other;
}

static bool add_factor(prep_quotients *q, LLVMValueRef v, unsigned by) {
    for (size_t i = 0; i < q->factors; i++)
        if (q->factor[i].value == v && q->factor[i].by >= by)
            return true;
    if (LLVMIsAConstantInt(v))
        return true;
    if (q->factors == QUOTIENTS_FACTORS)
        return false;
    q->factor[q->factors].value = v;
    q->factor[q->factors++].by = by;
    return true;
}

/* Which operand of the product is divided; -1: none. */
static int divided(const prep_quotients *q, LLVMValueRef product, unsigned by) {
    for (unsigned i = 0; i < 2; i++)
        if (is_factor(q, LLVMGetOperand(product, i), by) &&
            is_small(q, LLVMGetOperand(product, 1 - i)))
            return (int)i;
    return -1;
}

/* Can the sum of at most *left products be divided by 2^by? */
static bool can_divide(prep_quotients *q, LLVMValueRef v, unsigned by, int *left) {
    if (is_sum(v) && host_in_loop(q->l, v))
        return can_divide(q, LLVMGetOperand(v, 0), by, left) &&
               can_divide(q, LLVMGetOperand(v, 1), by, left);
    if (--*left < 0)
        return false;
    if (is_factor(q, v, by))
        return add_factor(q, v, by);
    int at = is(v, LLVMMul) ? divided(q, v, by) : -1;
    return at >= 0 && add_factor(q, LLVMGetOperand(v, (unsigned)at), by);
}

static bool is_shift(LLVMValueRef i, unsigned *by) {
    if (!is(i, LLVMAShr) || LLVMGetIntTypeWidth(LLVMTypeOf(i)) != 64 ||
        !LLVMIsAConstantInt(LLVMGetOperand(i, 1)))
        return false;
    LLVMValueRef from = LLVMGetOperand(i, 0);
    uint64_t n = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 1));
    *by = (unsigned)n;
    return n > 0 && n <= MOST_SHIFT && (is(from, LLVMMul) || is_sum(from));
}

static void try_shift(prep_quotients *q, LLVMValueRef i, size_t block, size_t place) {
    unsigned by;
    int left = MOST_PRODUCTS;
    size_t before = q->factors;
    if (!is_shift(i, &by) || q->count == QUOTIENTS_MAX)
        return;
    if (can_divide(q, LLVMGetOperand(i, 0), by, &left)) {
        q->shift[q->count].block = block;
        q->shift[q->count++].place = place;
    } else
        q->factors = before;
}

void prep_find_quotients(prep_quotients *q, br_function *f, br_loop l,
                         const LLVMBasicBlockRef *blocks, size_t count) {
    *q = (prep_quotients){.f = f, .l = l};
    for (size_t b = 0; b < count; b++) {
        size_t place = 0;
        for (LLVMValueRef i = LLVMGetFirstInstruction(blocks[b]); i; i = LLVMGetNextInstruction(i))
            try_shift(q, i, b, place++);
    }
}

/* The value is a multiple of 2^by, and at least 0, and not too large. */
static LLVMValueRef emit_test(LLVMBuilderRef b, LLVMValueRef v, unsigned by) {
    LLVMTypeRef type = LLVMTypeOf(v);
    LLVMValueRef zero = LLVMConstInt(type, 0, false);
    LLVMValueRef mask = LLVMConstInt(type, (1u << by) - 1, false);
    LLVMValueRef most = LLVMConstInt(type, (unsigned long long)most_factor, false);
    v = LLVMBuildFreeze(b, v, "");
    LLVMValueRef even = LLVMBuildICmp(b, LLVMIntEQ, LLVMBuildAnd(b, v, mask, ""), zero, "");
    return LLVMBuildAnd(b, even, LLVMBuildICmp(b, LLVMIntULE, v, most, ""), "");
}

LLVMValueRef prep_quotients_condition(const prep_quotients *q, LLVMBuilderRef b,
                                      LLVMValueRef in_front) {
    LLVMValueRef all = NULL;
    LLVMPositionBuilderBefore(b, in_front);
    for (size_t i = 0; i < q->factors; i++) {
        LLVMValueRef test = emit_test(b, q->factor[i].value, q->factor[i].by);
        all = all ? LLVMBuildAnd(b, all, test, "") : test;
    }
    return all;
}

static LLVMValueRef emit_divided(LLVMBuilderRef b, LLVMValueRef v, LLVMValueRef by) {
    if (LLVMIsAConstantInt(v)) {
        int64_t number = LLVMConstIntGetSExtValue(v) >> LLVMConstIntGetZExtValue(by);
        return LLVMConstInt(LLVMTypeOf(v), (unsigned long long)number, true);
    }
    return LLVMBuildAShr(b, v, by, "");
}

/* Is it one of the values that the condition is about, or a constant that is a multiple? */
static bool is_known(const prep_quotients *q, LLVMValueRef v, unsigned by) {
    bool known = is_multiple(v, by);
    for (size_t i = 0; i < q->factors && !known; i++)
        known = q->factor[i].value == v && q->factor[i].by >= by;
    return known;
}

/* The sum, divided: each product's factor that the condition is about is. */
static LLVMValueRef emit_quotient(const prep_quotients *q, LLVMBuilderRef b, LLVMValueRef v,
                                  LLVMValueRef by) {
    unsigned n = (unsigned)LLVMConstIntGetZExtValue(by);
    if (is_known(q, v, n))
        return emit_divided(b, v, by);
    LLVMValueRef x = LLVMGetOperand(v, 0), y = LLVMGetOperand(v, 1);
    if (is(v, LLVMMul))
        return is_known(q, x, n) ? LLVMBuildNSWMul(b, emit_divided(b, x, by), y, "")
                                 : LLVMBuildNSWMul(b, x, emit_divided(b, y, by), "");
    x = emit_quotient(q, b, x, by);
    y = emit_quotient(q, b, y, by);
    return is(v, LLVMAdd) ? LLVMBuildNSWAdd(b, x, y, "") : LLVMBuildNSWSub(b, x, y, "");
}

static LLVMValueRef instruction_at(LLVMBasicBlockRef block, size_t place) {
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    while (place-- > 0)
        i = LLVMGetNextInstruction(i);
    return i;
}

/* Shifts are replaced from the last one on, so that places in front of it stay. The one that is
 * replaced has no uses then. */
void prep_write_quotients(const prep_quotients *q, const LLVMBasicBlockRef *copies) {
    for (size_t k = q->count; k-- > 0;) {
        LLVMValueRef shift = instruction_at(copies[q->shift[k].block], q->shift[k].place);
        LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(shift)));
        LLVMPositionBuilderBefore(b, shift);
        LLVMValueRef by = LLVMGetOperand(shift, 1);
        LLVMReplaceAllUsesWith(shift, emit_quotient(q, b, LLVMGetOperand(shift, 0), by));
        LLVMDisposeBuilder(b);
    }
}
