/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loops over every other cell of a row, of which each row begins one cell to the side of where the
 * row before it does, become loops over all cells with a condition:
 *
 *     for (j = 1 + (i + c) % 2; j < m; j += 2) ..   ->   for (j = 1; j < m; j++) if ((i + j + c) %
 * 2) ..
 *
 * So they walk arrays as sweeps over all cells beside them do. The first cell of a row depends on
 * whether the sum of some outer loops' iterations is even or odd. A row that the loop's guard keeps
 * from having any cell is then a loop whose condition holds for no cell. Whether the cells may be
 * computed in any order, detection asks (lib/detect/host/parity.c).
 */
#include "prepare/masks.h"
#include "detect/common/calls.h"
#include "detect/common/flow.h"
#include "prepare/rows.h"
#include "prepare/sequence.h"
#include "prepare/shadow.h"

#include <stdlib.h>

enum { MAX_HANDED = 8, MAX_NESTS = 32 };

/* Where a row begins */

/* The loop's counter and where it begins, if that is one of two neighbouring cells. */
static bool find_counter(prep_rows *m) {
    LLVMValueRef i = LLVMGetFirstInstruction(br_loop_header(m->inner));
    int64_t step;
    for (; i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
        br_scev s =
            LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMIntegerTypeKind ? br_scev_of(m->f, i) : NULL;
        if (!s || br_scev_kind(s) != BR_ADDREC || br_scev_loop(s) != m->inner ||
            br_scev_count(s) != 2 || !br_scev_int(br_scev_operand(s, 1), &step) || step != 2)
            continue;
        m->loops = 0;
        m->counter = i;
        m->next = host_incoming(i, m->inner, true);
        m->first = host_incoming(i, m->inner, false);
        return rows_number(m, m->first, 0, &m->at[0]) && rows_number(m, m->first, 1, &m->at[1]) &&
               m->loops && llabs(m->at[0] - m->at[1]) == 1 &&
               LLVMGetInstructionOpcode(m->next) == LLVMAdd &&
               rows_is_constant(LLVMGetOperand(m->next, 1), 2);
    }
    return false;
}

/* Where a row ends */

static LLVMValueRef without_extension(LLVMValueRef v) {
    LLVMOpcode op = LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : LLVMRet;
    return op == LLVMSExt || op == LLVMZExt ? LLVMGetOperand(v, 0) : v;
}

/* Are both numbers the same, though one may have more bits? */
static bool is_same_bound(LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef x = LLVMIsAConstantInt(a), y = LLVMIsAConstantInt(b);
    if (x && y)
        return LLVMConstIntGetSExtValue(x) == LLVMConstIntGetSExtValue(y);
    return without_extension(a) == without_extension(b);
}

/* Does the loop go on while the counter's next value is below a bound? */
static LLVMIntPredicate find_bound(prep_rows *m) {
    LLVMBasicBlockRef latch = br_loop_latch(m->inner);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(latch);
    unsigned side = 0;
    if (br_loop_exiting_block(m->inner) != latch || !br_is_conditional(end))
        return 0;
    bool stays = LLVMGetSuccessor(end, 0) == br_loop_header(m->inner);
    LLVMIntPredicate p = rows_below(LLVMGetCondition(end), stays, &side);
    if (!p || LLVMGetOperand(LLVMGetCondition(end), side) != m->next)
        return 0;
    m->bound = LLVMGetOperand(LLVMGetCondition(end), !side);
    return host_in_loop(m->around[0], m->bound) ? 0 : p;
}

/* Is the guard's operand so many cells from where the row begins, in all rows? */
static bool is_first(prep_rows *m, LLVMValueRef v) {
    int64_t even, odd;
    return rows_number(m, v, 0, &even) && rows_number(m, v, 1, &odd) &&
           even == m->at[0] + m->shift && odd == m->at[1] + m->shift;
}

/* Is it one for both comparisons whether the bound is taken as signed? Where a guard lets only
 * bounds above 0 pass, it does not matter how the loop takes them. */
static bool agree(const prep_rows *m, LLVMIntPredicate guard, LLVMIntPredicate p) {
    return rows_is_signed(guard) == rows_is_signed(p) ||
           (rows_is_signed(guard) && m->at[0] + m->shift >= 0 && m->at[1] + m->shift >= 0);
}

/* The branch that goes around the loop where the row has no cell: the last one in front of it, by
 * the same comparison. Without one, each row has a cell if that is known of the later beginning. */
static bool find_guard(prep_rows *m, LLVMIntPredicate p) {
    LLVMBasicBlockRef to = br_loop_prepare(m->f, m->inner), from;
    LLVMValueRef bound = LLVMIsAConstantInt(m->bound);
    int64_t last = m->at[0] > m->at[1] ? m->at[0] : m->at[1];
    if (to && bound && last - rows_may_be_equal(p) < LLVMConstIntGetSExtValue(bound))
        return true;
    while (to && (from = host_only_predecessor(to)) && br_loop_of(m->f, from) == m->around[0] &&
           !br_is_conditional(LLVMGetBasicBlockTerminator(from)))
        to = from;
    from = to ? host_only_predecessor(to) : NULL;
    if (!from || br_loop_of(m->f, from) != m->around[0])
        return false;
    m->guard = LLVMGetBasicBlockTerminator(from);
    LLVMValueRef c = LLVMGetCondition(m->guard);
    LLVMIntPredicate own = rows_below(c, LLVMGetSuccessor(m->guard, 0) == to, &m->side);
    m->shift = rows_may_be_equal(own) - rows_may_be_equal(p);
    return own && agree(m, own, p) && is_same_bound(LLVMGetOperand(c, !m->side), m->bound) &&
           is_first(m, LLVMGetOperand(c, m->side));
}

/* The loop with a condition */

/* A counter of the loop that begins at a number and steps by an odd one. */
static LLVMValueRef odd_counter(const prep_rows *m, br_loop l, int64_t *first) {
    LLVMValueRef i = LLVMGetFirstInstruction(br_loop_header(l));
    int64_t step;
    for (; i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
        LLVMTypeRef type = LLVMTypeOf(i);
        br_scev s = LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) > 1
                        ? br_scev_of(m->f, i)
                        : NULL;
        if (s && br_scev_kind(s) == BR_ADDREC && br_scev_loop(s) == l && br_scev_count(s) == 2 &&
            br_scev_int(br_scev_operand(s, 0), first) &&
            br_scev_int(br_scev_operand(s, 1), &step) && step & 1)
            return i;
    }
    return NULL;
}

/* Is the cell of the colour? In front of the loop's body. */
static LLVMValueRef build_condition(const prep_rows *m, LLVMBuilderRef b) {
    LLVMTypeRef type = LLVMTypeOf(m->counter);
    LLVMValueRef sum = m->counter;
    int64_t bit = m->at[0], first;
    for (int i = 0; i < m->naround; i++) {
        if (!(m->loops >> i & 1))
            continue;
        LLVMValueRef counter = odd_counter(m, m->around[i], &first);
        if (!counter)
            return NULL;
        sum = LLVMBuildAdd(b, sum, LLVMBuildIntCast2(b, counter, type, false, ""), "");
        bit += first & 1;
    }
    sum = LLVMBuildAnd(b, sum, LLVMConstInt(type, 1, false), "");
    return LLVMBuildICmp(b, LLVMIntEQ, sum, LLVMConstInt(type, bit & 1, false), "");
}

/* Finds the loop's other values, which are handed on from one iteration to the next, and what each
 * iteration makes of them. -1: there are others, as further counters. */
static int find_handed(const prep_rows *m, LLVMValueRef handed[], LLVMValueRef values[]) {
    int count = 0;
    LLVMValueRef i = LLVMGetFirstInstruction(br_loop_header(m->inner));
    for (; i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
        if (i == m->counter)
            continue;
        LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(i));
        LLVMValueRef value = host_incoming(i, m->inner, true);
        bool good = count < MAX_HANDED && host_in_loop(m->inner, value);
        good &= (kind != LLVMIntegerTypeKind && kind != LLVMPointerTypeKind) ||
                br_scev_kind(br_scev_of(m->f, i)) != BR_ADDREC;
        for (int k = 0; k < count; k++)
            good &= values[k] != value;
        if (!good)
            return -1;
        handed[count] = i;
        values[count++] = value;
    }
    return count;
}

/* Does the loop leave nothing but what it hands on? */
static bool leaves_handed(const prep_rows *m, LLVMValueRef values[], int count) {
    LLVMBasicBlockRef b;
    for (size_t k = 0; (b = br_loop_block(m->inner, k)); k++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            bool last = false;
            for (int h = 0; h < count; h++)
                last |= values[h] == i;
            for (LLVMUseRef u = LLVMGetFirstUse(i); u && !last; u = LLVMGetNextUse(u))
                if (!host_in_loop(m->inner, LLVMGetUser(u)))
                    return false;
        }
    return true;
}

/* Where control comes to the block from `end`, a value becomes another one. */
static void replace_from(LLVMBasicBlockRef at, LLVMBasicBlockRef end, LLVMValueRef value,
                         LLVMValueRef by) {
    LLVMValueRef i = LLVMGetFirstInstruction(at);
    for (; i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
        for (unsigned k = 0; k < LLVMCountIncoming(i); k++)
            if (LLVMGetIncomingBlock(i, k) == end && LLVMGetIncomingValue(i, k) == value)
                LLVMSetOperand(i, k, by);
}

/* Where the condition does not hold, values stay as they were. */
static void keep_handed(LLVMValueRef handed[], LLVMValueRef values[], int count, LLVMBuilderRef b,
                        LLVMBasicBlockRef from, LLVMBasicBlockRef body, LLVMBasicBlockRef end) {
    LLVMValueRef go = LLVMGetBasicBlockTerminator(end);
    for (int h = 0; h < count; h++) {
        LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(end));
        LLVMValueRef phi = LLVMBuildPhi(b, LLVMTypeOf(handed[h]), "");
        LLVMAddIncoming(phi, (LLVMValueRef[]){handed[h], values[h]},
                        (LLVMBasicBlockRef[]){from, body}, 2);
        for (unsigned i = 0; i < 2; i++)
            replace_from(LLVMGetSuccessor(go, i), end, values[h], phi);
    }
}

/* Lets the loop begin at the same cell in each row. */
static void begin_at(const prep_rows *m, LLVMBuilderRef b) {
    int64_t first = m->at[0] < m->at[1] ? m->at[0] : m->at[1];
    for (unsigned i = 0; i < LLVMCountIncoming(m->counter); i++)
        if (LLVMGetIncomingValue(m->counter, i) == m->first)
            LLVMSetOperand(m->counter, i, LLVMConstInt(LLVMTypeOf(m->counter), first, true));
    if (!m->guard)
        return;
    LLVMValueRef c = LLVMGetCondition(m->guard), operand[2];
    for (unsigned i = 0; i < 2; i++)
        operand[i] = LLVMGetOperand(c, i);
    operand[m->side] =
        LLVMConstInt(LLVMTypeOf(operand[m->side]), (unsigned long long)(first + m->shift), true);
    LLVMPositionBuilderBefore(b, m->guard);
    LLVMSetCondition(m->guard,
                     LLVMBuildICmp(b, LLVMGetICmpPredicate(c), operand[0], operand[1], ""));
}

/* Puts the condition around the body, in front of what steps the counter and ends the loop. */
static bool mask_body(prep_rows *m) {
    LLVMValueRef handed[MAX_HANDED], values[MAX_HANDED];
    int count = find_handed(m, handed, values);
    LLVMBasicBlockRef head = br_loop_header(m->inner), latch = br_loop_latch(m->inner);
    if (count < 0 || !leaves_handed(m, values, count))
        return false;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(m->counter)));
    LLVMPositionBuilderBefore(b, host_first_after_phis(head));
    LLVMValueRef condition = build_condition(m, b);
    if (condition) {
        LLVMTypeRef type = LLVMTypeOf(m->counter);
        LLVMBasicBlockRef body = br_split_before(LLVMGetNextInstruction(condition));
        latch = latch == head ? body : latch;
        LLVMValueRef branch = LLVMGetBasicBlockTerminator(latch);
        LLVMBasicBlockRef end = br_split_before(branch);
        LLVMPositionBuilderBefore(b, branch);
        LLVMValueRef next = LLVMBuildAdd(b, m->counter, LLVMConstInt(type, 1, false), "");
        LLVMSetNSW(next, LLVMGetNSW(m->next));
        LLVMSetNUW(next, LLVMGetNUW(m->next));
        LLVMValueRef test = LLVMGetCondition(branch);
        unsigned side = LLVMGetOperand(test, 1) == m->next;
        LLVMValueRef x = side ? LLVMGetOperand(test, 0) : next, y = side ? next : m->bound;
        LLVMSetCondition(branch, LLVMBuildICmp(b, LLVMGetICmpPredicate(test), x, y, ""));
        for (unsigned i = 0; i < LLVMCountIncoming(m->counter); i++)
            if (LLVMGetIncomingValue(m->counter, i) == m->next)
                LLVMSetOperand(m->counter, i, next);
        LLVMValueRef go = LLVMGetBasicBlockTerminator(head);
        LLVMPositionBuilderBefore(b, go);
        LLVMBuildCondBr(b, condition, body, end);
        LLVMInstructionEraseFromParent(go);
        keep_handed(handed, values, count, b, head, latch, end);
        begin_at(m, b);
    }
    LLVMDisposeBuilder(b);
    br_function_invalidate(m->f);
    return condition != NULL;
}

/* Nests */

static bool find_rows(prep_rows *m) {
    br_loop ignored;
    m->naround = 0;
    m->guard = NULL;
    if (!br_loop_latch(m->inner) || br_loop_children(m->inner, &ignored, 1) > 0)
        return false;
    for (br_loop l = br_loop_parent(m->inner); l && m->naround < ROWS_MAX_AROUND;
         l = br_loop_parent(l))
        m->around[m->naround++] = l;
    return m->naround > 0 && find_counter(m);
}

/* The next such loop among those in `l`; or among those that `of` dominates. */
static bool find_next(prep_rows *m, br_loop l, LLVMBasicBlockRef of) {
    br_loop *loops;
    size_t count = prep_loops_there(m->f, l, of, &loops);
    bool found = false;
    for (size_t i = 0; i < count && !found; i++) {
        m->inner = loops[i];
        found = find_rows(m);
    }
    free(loops);
    return found;
}

bool prep_has_rows(br_function *f, LLVMBasicBlockRef of) {
    prep_rows m = {.f = f};
    return find_next(&m, NULL, of);
}

bool prep_loop_has_rows(br_function *f, br_loop l) {
    prep_rows m = {.f = f};
    return find_next(&m, l, NULL) && m.around[0] != br_loop_parent(l);
}

bool prep_mask_rows(br_function *f, LLVMBasicBlockRef of) {
    prep_rows m = {.f = f};
    bool good = true;
    for (int count = 0; good && find_next(&m, NULL, of); count++) {
        if (count < 2 * MAX_NESTS && rows_count_upwards(&m))
            continue; /* it is found again */
        LLVMIntPredicate p = find_bound(&m);
        good = count < 2 * MAX_NESTS && p && find_guard(&m, p) && mask_body(&m);
    }
    return good;
}
