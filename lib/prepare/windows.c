/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loops over the neighbours that are in the grid, in GPU kernels:
 *
 *   for (j = max(x - 1, 0); j <= min(x + 1, n - 1); j++)
 *
 * How often they run depends on the cell. In a shadow such a loop goes from x - 1 to x + 1, and
 * tests each time whether j is in the grid. Then it can be unrolled. Both bounds are the same
 * number and constants, one of them or both against a limit. Where x - 1 and x + 1 do not wrap,
 * which the kernel's entry tests of all indices, the same iterations do something.
 */
#include "prepare/unroll.h"

#include <string.h>

enum { MOST_TIMES = ST_LIMIT(33, 5), MOST_WINDOWS = ST_LIMIT(16, 2) };

/* A bound of the loop: one of two numbers, the greater or the smaller one, and a constant. */
typedef struct bound {
    LLVMValueRef of[2]; /* of[1] is NULL if there is no limit */
    int64_t offset;
    bool is_signed;
} bound;

static bool is_number(LLVMValueRef v) {
    return LLVMIsAConstantInt(v) && LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 64;
}

/* v without the constants that are added to it. */
static LLVMValueRef without_constants(LLVMValueRef v, int64_t *offset) {
    while (LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == LLVMAdd &&
           is_number(LLVMGetOperand(v, 1))) {
        *offset += LLVMConstIntGetSExtValue(LLVMGetOperand(v, 1));
        v = LLVMGetOperand(v, 0);
    }
    return v;
}

static bool calls(LLVMValueRef v, const char *name) {
    size_t length;
    LLVMValueRef callee = LLVMIsACallInst(v) ? LLVMGetCalledValue(v) : NULL;
    return callee && LLVMIsAFunction(callee) &&
           strncmp(LLVMGetValueName2(callee, &length), name, strlen(name)) == 0;
}

/* w < n ? w : n - 1, which is the smaller one of w and n - 1; or w < m ? w + 1 : m, which is that
 * of w + 1 and m. */
static bool is_chosen(LLVMValueRef v, bound *out) {
    LLVMValueRef test = LLVMIsASelectInst(v) ? LLVMGetCondition(v) : NULL;
    if (!test || !LLVMIsAICmpInst(test))
        return false;
    LLVMIntPredicate p = LLVMGetICmpPredicate(test);
    bool greater = p == LLVMIntSGT || p == LLVMIntUGT;
    LLVMValueRef w = LLVMGetOperand(test, greater), n = LLVMGetOperand(test, !greater);
    int64_t less = 0, none = 0, more = 0, of_w = 0;
    n = without_constants(n, &none);
    if ((!greater && p != LLVMIntSLT && p != LLVMIntULT) ||
        without_constants(LLVMGetOperand(v, 1), &more) != without_constants(w, &of_w) ||
        without_constants(LLVMGetOperand(v, 2), &less) != n || more - of_w != less - none + 1 ||
        more < of_w || more > of_w + 1)
        return false;
    out->of[0] = LLVMGetOperand(v, 1);
    out->of[1] = LLVMGetOperand(v, 2);
    out->is_signed = p == LLVMIntSLT || p == LLVMIntSGT;
    return true;
}

static void read_bound(LLVMValueRef v, bool low, bound *out) {
    *out = (bound){.is_signed = true};
    v = without_constants(v, &out->offset);
    bool as_signed = calls(v, low ? "llvm.smax." : "llvm.smin."),
         as_unsigned = calls(v, low ? "llvm.umax." : "llvm.umin.");
    if (low && calls(v, "llvm.usub.sat.") && is_number(LLVMGetOperand(v, 1))) {
        /* max(y, 1) - 1 */
        out->of[0] = LLVMGetOperand(v, 0);
        out->of[1] = LLVMGetOperand(v, 1);
        out->offset -= LLVMConstIntGetSExtValue(out->of[1]);
        out->is_signed = false;
    } else if (as_signed || as_unsigned) {
        out->of[0] = LLVMGetOperand(v, 0);
        out->of[1] = LLVMGetOperand(v, 1);
        out->is_signed = as_signed;
    } else if (low || !is_chosen(v, out)) {
        out->of[0] = v;
    }
}

/* Sets the window if the first numbers of both bounds are constants apart. */
static bool match(const bound *low, const bound *high, int l, int h, br_window *w) {
    int64_t from = low->offset, to = high->offset;
    if (!low->of[l] || !high->of[h] || LLVMTypeOf(low->of[l]) != LLVMTypeOf(high->of[h]))
        return false;
    LLVMValueRef number = without_constants(low->of[l], &from);
    if (number != without_constants(high->of[h], &to) || LLVMIsAConstant(number) || to - from < 0 ||
        to - from >= MOST_TIMES)
        return false;
    *w = (br_window){.first = number,
                     .low = low->of[!l],
                     .high = high->of[!h],
                     .first_offset = from,
                     .low_offset = low->offset,
                     .high_offset = high->offset,
                     .low_signed = low->is_signed,
                     .high_signed = high->is_signed,
                     .times = (unsigned)(to - from) + 1};
    return w->low || w->high;
}

/* The last number of the counter, but for *offset: what the loop's latch compares with. */
static LLVMValueRef last_of(br_loop l, LLVMValueRef counter, LLVMValueRef next, int64_t *offset) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(br_loop_latch(l)), test;
    if (!br_is_conditional(end) || !LLVMIsAICmpInst(test = LLVMGetCondition(end)))
        return NULL;
    bool goes_on = LLVMGetSuccessor(end, 0) == br_loop_header(l);
    LLVMIntPredicate p = LLVMGetICmpPredicate(test);
    LLVMValueRef compared = LLVMGetOperand(test, 0);
    bool less = goes_on && (p == LLVMIntSLT || p == LLVMIntULT),
         unequal = p == (goes_on ? LLVMIntNE : LLVMIntEQ);
    if ((compared != counter && compared != next) || (!less && !unequal))
        return NULL;
    *offset = compared == next ? -1 : 0;
    return LLVMGetOperand(test, 1);
}

static LLVMValueRef incoming(LLVMValueRef phi, br_loop l, bool from_latch) {
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if ((LLVMGetIncomingBlock(phi, i) == br_loop_latch(l)) == from_latch)
            return LLVMGetIncomingValue(phi, i);
    return NULL;
}

/* Is the phi a counter, from a number that the loop does not change, by steps of 1? */
static bool counts(LLVMValueRef phi, br_loop l) {
    LLVMValueRef next = incoming(phi, l, true);
    int64_t step = 0;
    return LLVMCountIncoming(phi) == 2 && LLVMGetTypeKind(LLVMTypeOf(phi)) == LLVMIntegerTypeKind &&
           next != phi && without_constants(next, &step) == phi && step == 1;
}

static bool is_outside(br_loop l, LLVMValueRef v) {
    return !v || !LLVMIsAInstruction(v) || !br_loop_contains(l, LLVMGetInstructionParent(v));
}

static bool find_window(br_loop l, LLVMValueRef counter, br_window *w) {
    bound low, high;
    int64_t offset;
    LLVMValueRef last = last_of(l, counter, incoming(counter, l, true), &offset);
    if (!last || !is_outside(l, last))
        return false;
    read_bound(incoming(counter, l, false), true, &low);
    read_bound(last, false, &high);
    high.offset += offset;
    bool found = false;
    for (int i = 0; i < 4 && !found; i++)
        found = match(&low, &high, i & 1, i >> 1, w);
    w->start = incoming(counter, l, false);
    w->last = last;
    w->last_offset = offset;
    return found && is_outside(l, w->first) && is_outside(l, w->low) && is_outside(l, w->high);
}

/* The first phi of a loop of one latch; NULL: there is none. */
static LLVMValueRef first_phi(br_loop l) {
    return br_loop_latch(l) ? LLVMGetFirstInstruction(br_loop_header(l)) : NULL;
}

static bool open_window(br_function *f, br_loop l) {
    LLVMValueRef i = first_phi(l);
    br_window w;
    for (; i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
        if (counts(i, l) && find_window(l, i, &w))
            return br_loop_widen(f, l, i, &w);
    return false;
}

/* The r of x - r and x + r. */
static LLVMValueRef reach(LLVMValueRef low, LLVMValueRef high) {
    if (!LLVMIsAInstruction(low) || LLVMGetInstructionOpcode(low) != LLVMSub ||
        !LLVMIsAInstruction(high) || LLVMGetInstructionOpcode(high) != LLVMAdd)
        return NULL;
    LLVMValueRef x = LLVMGetOperand(low, 0), r = LLVMGetOperand(low, 1);
    bool first = LLVMGetOperand(high, 0) == x && LLVMGetOperand(high, 1) == r,
         second = LLVMGetOperand(high, 1) == x && LLVMGetOperand(high, 0) == r;
    return first || second ? r : NULL;
}

LLVMValueRef unroll_window_reach(br_loop l) {
    LLVMValueRef i = first_phi(l), r = NULL, last;
    bound low, high;
    int64_t ignored;
    for (; i && LLVMIsAPHINode(i) && !r; i = LLVMGetNextInstruction(i)) {
        if (!counts(i, l) || !(last = last_of(l, i, incoming(i, l, true), &ignored)))
            continue;
        read_bound(incoming(i, l, false), true, &low);
        read_bound(last, false, &high);
        for (int k = 0; k < 4 && !r; k++)
            if (low.of[k & 1] && high.of[k >> 1] && (low.of[1] || high.of[1]))
                r = reach(low.of[k & 1], high.of[k >> 1]);
    }
    return r;
}

static bool open_one(prep_shadow *s, bool moves(LLVMValueRef function, br_loop l)) {
    enum { MOST_LOOPS = 16 };
    br_loop loops[MOST_LOOPS];
    size_t count = br_loops(s->f, loops, MOST_LOOPS);
    for (size_t i = 0; i < count && i < MOST_LOOPS; i++)
        if (!moves(s->function, loops[i]) && open_window(s->f, loops[i])) {
            br_function_invalidate(s->f);
            s->windows = true;
            return true;
        }
    return false;
}

void unroll_open_windows(prep_shadow *s, bool moves(LLVMValueRef function, br_loop l)) {
    for (int i = 0; i < MOST_WINDOWS && open_one(s, moves); i++)
        ;
}
