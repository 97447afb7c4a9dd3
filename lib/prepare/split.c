/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A loop over n * m cells that takes its index apart,
 *
 *     for (c = 0; c < n * m; c++) { i = c / m; j = c % m; ... }
 *
 * becomes a loop over i with a loop over j in it. Legal when
 *   1. the loop counts from 0 by 1, has one latch, which alone leaves it, and the divisor does not
 *      change in it;
 *   2. ScalarEvolution shows that the count is a multiple of the divisor, and that the divisor and
 *      the multiple are above 0.
 * Iterations stay in the program's order. What an iteration hands on to the next one goes through
 * both loops.
 */
#include "prepare/split.h"
#include "detect/common/flow.h"

#include <stdlib.h>

enum { MAX_SPLITS = 64 };

typedef struct flat_loop {
    br_function *f;
    br_loop l;
    LLVMValueRef index, divisor;
    LLVMValueRef rows, columns; /* columns: the divisor; rows: the count divided by it */
    LLVMValueRef row, column;   /* the new counters */
} flat_loop;

static bool is_number(LLVMValueRef v, uint64_t number) {
    LLVMValueRef constant = LLVMIsAConstantInt(v);
    return constant && LLVMConstIntGetZExtValue(constant) == number;
}

/* The counter of the loop, from 0 by 1; or NULL. */
static LLVMValueRef find_index(br_loop l) {
    LLVMValueRef i = LLVMGetFirstInstruction(br_loop_header(l));
    for (; i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
        if (LLVMCountIncoming(i) != 2 || !is_number(host_incoming(i, l, false), 0))
            continue;
        LLVMValueRef next = host_incoming(i, l, true);
        if (LLVMIsAInstruction(next) && LLVMGetInstructionOpcode(next) == LLVMAdd &&
            LLVMGetOperand(next, 0) == i && is_number(LLVMGetOperand(next, 1), 1))
            return i;
    }
    return NULL;
}

static bool divides(LLVMValueRef user, LLVMValueRef index, bool remainder) {
    LLVMOpcode op = LLVMIsAInstruction(user) ? LLVMGetInstructionOpcode(user) : LLVMPHI;
    bool is = remainder ? op == LLVMSRem || op == LLVMURem : op == LLVMSDiv || op == LLVMUDiv;
    return is && LLVMGetOperand(user, 0) == index;
}

static bool is_positive(const flat_loop *s, br_scev v) {
    int64_t least, greatest;
    br_scev_signed_range(s->f, v, &least, &greatest);
    bool positive = least > 0 || br_scev_positive_before(s->f, v, s->l);
    if (positive || br_scev_kind(v) != BR_MUL)
        return positive;
    for (size_t i = 0; i < br_scev_count(v); i++)
        if (!is_positive(s, br_scev_operand(v, i)))
            return false;
    return true;
}

/* A product of narrow numbers that does not wrap, and is then extended, as a product of the
 * extended numbers: so ScalarEvolution sees its factors. Else the number itself. */
static LLVMValueRef with_factors(LLVMValueRef v, LLVMValueRef end) {
    LLVMOpcode op = LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : LLVMPHI;
    LLVMValueRef product = op == LLVMSExt || (op == LLVMZExt && LLVMGetNNeg(v))
                               ? LLVMIsAInstruction(LLVMGetOperand(v, 0))
                               : NULL;
    if (!product || LLVMGetInstructionOpcode(product) != LLVMMul || !LLVMGetNSW(product))
        return v;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(v)));
    LLVMPositionBuilderBefore(b, end);
    LLVMValueRef x = LLVMBuildSExt(b, LLVMGetOperand(product, 0), LLVMTypeOf(v), "");
    LLVMValueRef y = LLVMBuildSExt(b, LLVMGetOperand(product, 1), LLVMTypeOf(v), "");
    LLVMValueRef wide = LLVMBuildNSWMul(b, x, y, "");
    LLVMDisposeBuilder(b);
    return wide;
}

/* Is the loop's count a multiple of this number? */
static bool try_divisor(flat_loop *s, LLVMValueRef divisor, LLVMValueRef end) {
    br_scev by = br_scev_of(s->f, divisor), count = br_trip_count(s->f, s->l);
    br_scev rows = count ? br_scev_quotient(s->f, count, by) : NULL;
    if (!rows || !is_positive(s, by) || !is_positive(s, rows) ||
        !br_scev_expandable(s->f, rows, end))
        return false;
    s->columns = divisor;
    s->rows = br_scev_expand(s->f, rows, LLVMTypeOf(s->index), end);
    return s->rows != NULL;
}

/* Finds a divisor of the loop's count, and the number of rows. */
static bool find_divisor(flat_loop *s, LLVMBasicBlockRef before) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(before);
    for (LLVMUseRef u = LLVMGetFirstUse(s->index); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if ((!divides(user, s->index, false) && !divides(user, s->index, true)) ||
            host_in_loop(s->l, LLVMGetOperand(user, 1)))
            continue;
        s->divisor = LLVMGetOperand(user, 1);
        if (try_divisor(s, s->divisor, end) || try_divisor(s, with_factors(s->divisor, end), end))
            return true;
    }
    return false;
}

static bool find_flat(flat_loop *s) {
    if (!host_tests_last(s->l))
        return false;
    s->index = find_index(s->l);
    LLVMBasicBlockRef before = s->index ? br_loop_prepare(s->f, s->l) : NULL;
    return before && br_loop_exit_block(s->l) && find_divisor(s, before);
}

/* Replaces index - quotient * divisor. */
static void replace_rests(const flat_loop *s, LLVMValueRef flat, LLVMValueRef times) {
    if (!LLVMIsAInstruction(times) || LLVMGetInstructionOpcode(times) != LLVMMul ||
        (LLVMGetOperand(times, 0) != s->divisor && LLVMGetOperand(times, 1) != s->divisor))
        return;
    for (LLVMUseRef u = LLVMGetFirstUse(times); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef rest = LLVMGetUser(u);
        if (LLVMIsAInstruction(rest) && LLVMGetInstructionOpcode(rest) == LLVMSub &&
            LLVMGetOperand(rest, 0) == flat && LLVMGetOperand(rest, 1) == times)
            LLVMReplaceAllUsesWith(rest, s->column);
    }
}

/* Replaces quotients and remainders of the index. */
static void replace_parts(const flat_loop *s, LLVMValueRef flat) {
    for (LLVMUseRef u = LLVMGetFirstUse(flat); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        bool rest = divides(user, flat, true);
        if ((!rest && !divides(user, flat, false)) || LLVMGetOperand(user, 1) != s->divisor)
            continue;
        for (LLVMUseRef m = rest ? NULL : LLVMGetFirstUse(user); m; m = LLVMGetNextUse(m))
            replace_rests(s, flat, LLVMGetUser(m));
        LLVMReplaceAllUsesWith(user, rest ? s->column : s->row);
    }
}

static void split(flat_loop *s) {
    br_loop_split(s->f, s->l, s->rows, s->columns, &s->row, &s->column);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(s->index)));
    LLVMPositionBuilderBefore(b, host_first_after_phis(LLVMGetInstructionParent(s->index)));
    LLVMValueRef flat = LLVMBuildAdd(b, LLVMBuildMul(b, s->row, s->divisor, ""), s->column, "");
    LLVMDisposeBuilder(b);
    LLVMReplaceAllUsesWith(s->index, flat);
    LLVMInstructionEraseFromParent(s->index);
    replace_parts(s, flat);
    br_function_invalidate(s->f);
}

static bool split_one(br_function *f) {
    size_t count = br_loops(f, NULL, 0);
    br_loop *loops = malloc((count + 1) * sizeof *loops);
    bool found = false;
    br_loops(f, loops, count);
    for (size_t i = 0; i < count && !found; i++) {
        flat_loop s = {.f = f, .l = loops[i]};
        found = find_flat(&s);
        if (found)
            split(&s);
    }
    free(loops);
    return found;
}

bool prep_split_loops(br_function *f) {
    int count = 0;
    while (count < MAX_SPLITS && split_one(f))
        count++;
    return count > 0;
}
