/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Splits a nest over the cells of one colour (colours.h), which begin in each row one to the side,
 * or which a condition takes from all cells. Legal when, in both halves,
 *   1. the inner loop begins at a number, steps by two, and begins one half an odd number of
 *      elements from where it begins in the other, a row further: so the cells written are one
 *      colour;
 *   2. there is one store, and each load of its array is of the cell itself, or an odd number of
 *      rows and columns away together: of the other colour;
 *   3. what is loaded through other pointers lies apart, which is tested in front (apart.c).
 *   4. the columns of both halves, and those read beside them, are fewer than a row has, which is
 *      tested in front as well.
 */
#include "prepare/colours.h"
#include "bridge/halves.h"
#include "detect/common/calls.h"
#include "detect/common/flow.h"
#include "prepare/apart.h"
#include "prepare/handed.h"
#include "prepare/sequence.h"

#include <stdlib.h>

enum { MOST_ITERATIONS = 1 << 28, MOST_FIRST = 1 << 20 }; /* their sums do not wrap */
enum { MAX_LOADS = 32, MAX_KNOWN = 16, MAX_DEPTH = 12, MAX_SUMS = 6, MAX_NESTS = 8, REACH = 8 };

typedef struct coloured {
    br_function *f;
    br_loop outer, inner;
    /* A counter is never negative if its loop, whose head is in the list, has few iterations. Where
     * nests are looked for, that is taken on trust. */
    LLVMBasicBlockRef few[2 * MAX_NESTS];
    int nfew;
    bool trusts, *trusted; /* was something? */
    LLVMValueRef start;    /* of the inner loop: where a row begins */
    LLVMValueRef store, loads[MAX_LOADS];
    size_t nloads;
    /* Values that alternate from row to row: what they are in even and in odd rows. */
    LLVMValueRef known[MAX_KNOWN];
    int64_t even[MAX_KNOWN], odd[MAX_KNOWN];
    size_t nknown;
    LLVMValueRef mark; /* in front of the twin */
} coloured;

/* Values in a row of even or odd number */

static bool is_one(LLVMValueRef v) {
    LLVMValueRef c = LLVMIsAConstantInt(v);
    return c && LLVMConstIntGetZExtValue(c) == 1;
}

static bool is_two(LLVMValueRef v) {
    LLVMValueRef c = LLVMIsAConstantInt(v);
    return c && LLVMConstIntGetZExtValue(c) == 2;
}

/* Is the value, in rows of this kind, even or odd? */
static bool parity_of(const coloured *c, LLVMValueRef v, int odd, int64_t *parity) {
    br_scev s = br_scev_of(c->f, v);
    int64_t first, step = 0;
    bool counts =
        br_scev_kind(s) == BR_ADDREC && br_scev_loop(s) == c->outer && br_scev_count(s) == 2;
    br_scev start = counts ? br_scev_operand(s, 0) : s;
    if (!br_scev_int(start, &first) || (counts && !br_scev_int(br_scev_operand(s, 1), &step)))
        return false;
    *parity = (first + step * odd) & 1;
    return true;
}

static bool has_few(const coloured *c, br_loop l) {
    bool has = false;
    for (int i = 0; i < c->nfew && !has; i++)
        has = c->few[i] == br_loop_header(l);
    return has;
}

/* Does the value count up from a small number, by one in each iteration of the nest's loops? Then
 * it is never negative if these have few iterations; in fewer bits it may wrap all the same. */
static bool counts_up(const coloured *c, br_scev s) {
    br_loop loops[2] = {c->inner, c->outer};
    bool few = true;
    int64_t n;
    if (br_scev_bits(c->f, s) < 32)
        return false;
    for (int i = 0; i < 2; i++) {
        if (br_scev_kind(s) != BR_ADDREC || br_scev_loop(s) != loops[i])
            continue;
        if (br_scev_count(s) != 2 || !br_scev_int(br_scev_operand(s, 1), &n) || n != 1)
            return false;
        few &= has_few(c, loops[i]);
        s = br_scev_operand(s, 0);
    }
    if (!br_scev_int(s, &n) || n < 0 || n >= MOST_FIRST || (!few && !c->trusts))
        return false;
    *c->trusted |= !few;
    return true;
}

/* .. nor greater than `most`? */
static bool is_never_negative(const coloured *c, LLVMValueRef v, int64_t most) {
    int64_t least, greatest;
    br_scev s = br_scev_of(c->f, v);
    br_scev_signed_range(c->f, s, &least, &greatest);
    return (least >= 0 && greatest <= most) || counts_up(c, s);
}

/* The lowest bit and that of the sign, as LLVM has x % 2 == 1: of 64 bits, or of 32 that were
 * extended. */
static bool is_low_and_sign(LLVMValueRef v, int64_t *most) {
    LLVMValueRef c = LLVMIsAConstantInt(v);
    uint64_t mask = c ? LLVMConstIntGetZExtValue(c) : 0;
    *most = mask >> 63 ? INT64_MAX : INT32_MAX;
    return mask == (UINT64_C(1) << 31 | 1) || mask == (UINT64_C(1) << 63 | 1);
}

bool prep_is_parity(LLVMValueRef v) {
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    LLVMValueRef by = op == LLVMAnd || op == LLVMURem || op == LLVMSRem ? LLVMGetOperand(v, 1) : v;
    int64_t ignored;
    return op == LLVMAnd ? is_one(by) || is_low_and_sign(by, &ignored) : is_two(by);
}

/* The remainder of a number that may be negative is -1 in odd rows. */
static bool is_parity(const coloured *c, LLVMValueRef v) {
    int64_t most = INT64_MAX;
    if (!prep_is_parity(v))
        return false;
    bool sign =
        LLVMGetInstructionOpcode(v) == LLVMSRem || is_low_and_sign(LLVMGetOperand(v, 1), &most);
    return !sign || is_never_negative(c, LLVMGetOperand(v, 0), most);
}

static bool combine(LLVMOpcode op, int64_t x, int64_t y, int64_t *out) {
    switch (op) {
    case LLVMAdd:
        return !__builtin_add_overflow(x, y, out);
    case LLVMSub:
        return !__builtin_sub_overflow(x, y, out);
    case LLVMXor:
        *out = x ^ y;
        return true;
    case LLVMOr:
        *out = x | y;
        return true;
    default:
        return false;
    }
}

/* What a number of so many bits is in more of them. */
static bool extend(int64_t n, LLVMValueRef from, bool is_signed, int64_t *out) {
    unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(from));
    int64_t half = bits < 62 ? INT64_C(1) << (bits - 1) : 0, low = n & (2 * half - 1);
    *out = is_signed && low >= half ? low - 2 * half : low;
    return half > 0;
}

/* The value in rows of this kind, if it is a small number. */
static bool number_of(const coloured *c, LLVMValueRef v, int odd, int depth, int64_t *out) {
    LLVMValueRef constant = LLVMIsAConstantInt(v);
    int64_t x, y;
    if (constant) {
        *out = LLVMConstIntGetSExtValue(constant);
        return *out > -(1 << 20) && *out < 1 << 20;
    }
    if (depth == 0 || !LLVMIsAInstruction(v) || !host_in_loop(c->outer, v))
        return false;
    if (host_is_bit(v)) /* one that changes from row to row */
        return parity_of(c, v, odd, out);
    if (is_parity(c, v))
        return parity_of(c, LLVMGetOperand(v, 0), odd, out);
    if (LLVMIsASelectInst(v))
        return number_of(c, LLVMGetOperand(v, 0), odd, depth - 1, &x) &&
               number_of(c, LLVMGetOperand(v, x ? 1 : 2), odd, depth - 1, out);
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    if (op == LLVMZExt || op == LLVMSExt)
        return number_of(c, LLVMGetOperand(v, 0), odd, depth - 1, &x) &&
               extend(x, LLVMGetOperand(v, 0), op == LLVMSExt, out);
    return LLVMGetNumOperands(v) == 2 && number_of(c, LLVMGetOperand(v, 0), odd, depth - 1, &x) &&
           number_of(c, LLVMGetOperand(v, 1), odd, depth - 1, &y) && combine(op, x, y, out);
}

/* Nests */

/* Where the inner loop's counter, which steps by two, starts: a value that changes from row to row.
 */
static LLVMValueRef find_start(const coloured *c) {
    LLVMValueRef i = LLVMGetFirstInstruction(br_loop_header(c->inner));
    int64_t step;
    for (; i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
        if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMIntegerTypeKind || LLVMCountIncoming(i) != 2)
            continue;
        br_scev s = br_scev_of(c->f, i);
        if (br_scev_kind(s) != BR_ADDREC || br_scev_loop(s) != c->inner ||
            !br_scev_int(br_scev_operand(s, 1), &step) || step != 2)
            continue;
        LLVMValueRef start = host_incoming(i, c->inner, false);
        int64_t even, odd;
        return number_of(c, start, 0, MAX_DEPTH, &even) &&
                       number_of(c, start, 1, MAX_DEPTH, &odd) && (even - odd) % 2 != 0
                   ? start
                   : NULL;
    }
    return NULL;
}

static bool find_nest(coloured *c) {
    br_loop ignored;
    c->start = NULL;
    if (!c->outer || !br_loop_latch(c->inner) || br_loop_children(c->inner, &ignored, 1) > 0 ||
        br_loop_children(c->outer, &ignored, 1) != 1)
        return false;
    c->start = find_start(c);
    return c->start != NULL;
}

static bool is_pure(LLVMValueRef i) {
    const char *name = host_callee_name(i);
    bool calls = LLVMIsACallInst(i) && !host_is_annotation(name) && !host_is_operation(name);
    return !LLVMIsALoadInst(i) && !calls && (LLVMIsACallInst(i) || !br_may_write(i));
}

/* The store and the loads. False if the nest accesses memory in other ways. */
static bool find_accesses(coloured *c) {
    LLVMBasicBlockRef b;
    c->nloads = 0;
    c->store = NULL;
    for (size_t k = 0; (b = br_loop_block(c->outer, k)); k++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (LLVMIsALoadInst(i) && c->nloads < MAX_LOADS && host_is_plain(i))
                c->loads[c->nloads++] = i;
            else if (LLVMIsAStoreInst(i) && !c->store && host_is_plain(i))
                c->store = i;
            else if (!is_pure(i))
                return false;
        }
    return c->store && host_in_loop(c->inner, c->store);
}

/* Halves */

/* An address in a half: its value in the first cell, and what it moves by, from row to row of the
 * half and from cell to cell. Between two rows, or cells, of the half there is one of the other. */
typedef struct walked {
    br_scev whole, first, row, cell, back; /* back: how often the row's loop goes back */
    int reach; /* columns to the side, at most, that a cell is read from */
} walked;

/* Detection requires that indices of narrow types do not wrap, so here they are taken as exact. */
static br_scev address_of(br_function *f, LLVMValueRef pointer) {
    return br_scev_exact(f, br_scev_of(f, pointer));
}

static bool walks(br_function *f, LLVMValueRef store, walked *w) {
    br_scev s = w->whole = address_of(f, LLVMGetOperand(store, 1));
    br_loop inner = br_loop_of(f, LLVMGetInstructionParent(store));
    if (!inner || br_scev_kind(s) != BR_ADDREC || br_scev_count(s) != 2 || br_scev_loop(s) != inner)
        return false;
    br_scev rows = br_scev_operand(s, 0);
    w->cell = br_scev_operand(s, 1);
    if (br_scev_kind(rows) != BR_ADDREC || br_scev_count(rows) != 2 ||
        br_scev_loop(rows) != br_loop_parent(inner))
        return false;
    w->first = br_scev_operand(rows, 0);
    w->row = br_scev_operand(rows, 1);
    w->back = br_backedge_count(f, inner);
    w->reach = 0;
    return true;
}

/* Is `to` rows and columns from `from` that make an odd number together, or with `same` none? Any
 * other such distance that is found must be odd as well. */
static bool is_other_colour(br_function *f, br_scev from, br_scev to, walked *w, bool same) {
    bool found = false;
    for (int a = -REACH; a <= REACH; a++)
        for (int b = -REACH; b <= REACH; b++) {
            if (!br_scev_is_combination(f, from, to, w->row, a, w->cell, b))
                continue;
            if (!((a + b) & 1) && !(same && a == 0 && b == 0))
                return false;
            w->reach = abs(b) > w->reach ? abs(b) : w->reach;
            found = true;
        }
    return found;
}

static bool is_one_colour(br_function *f, walked *w, LLVMValueRef store, const LLVMValueRef *loads,
                          size_t count) {
    for (size_t i = 0; i < count; i++) {
        LLVMValueRef address = LLVMGetOperand(loads[i], 0);
        bool same = host_base_of(address) == host_base_of(LLVMGetOperand(store, 1));
        if (same && br_may_alias(f, address, LLVMGetOperand(store, 1)) &&
            !is_other_colour(f, w->whole, address_of(f, address), w, true))
            return false;
    }
    return true;
}

/* Does the second half begin a row further, and an odd number of cells to a side? *by: so many, if
 * that is one number. */
static bool begins_at_other(br_function *f, const walked *x, const walked *y, int *by) {
    int found = 0;
    for (int b = -REACH; b <= REACH; b++)
        if (br_scev_is_combination(f, x->first, y->first, x->row, 1, x->cell, b)) {
            if (!(b & 1))
                return false;
            *by = b;
            found++;
        }
    return found == 1;
}

/* Are both halves together one colour, so that their order does not matter? */
static bool are_one_colour(coloured *c, const LLVMValueRef *even, const LLVMValueRef *odd) {
    walked x, y;
    br_function *f = c->f;
    prep_columns columns = {.by = 0};
    if (!walks(f, even[0], &x) || !walks(f, odd[0], &y) || x.row != y.row || x.cell != y.cell ||
        !begins_at_other(f, &x, &y, &columns.by) ||
        !is_one_colour(f, &x, even[0], even + 1, c->nloads) ||
        !is_one_colour(f, &y, odd[0], odd + 1, c->nloads))
        return false;
    columns.back[0] = x.back;
    columns.back[1] = y.back;
    columns.row = x.row;
    columns.cell = x.cell;
    columns.reach = x.reach > y.reach ? x.reach : y.reach;
    return prep_require_columns(f, &columns, c->mark);
}

/* Finds the values that alternate. */
static void find_known(coloured *c) {
    LLVMBasicBlockRef b;
    c->nknown = 0;
    for (size_t k = 0; (b = br_loop_block(c->outer, k)); k++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && c->nknown < MAX_KNOWN;
             i = LLVMGetNextInstruction(i)) {
            int64_t *even = &c->even[c->nknown], *odd = &c->odd[c->nknown];
            bool number =
                LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMIntegerTypeKind && !LLVMIsAPHINode(i);
            if (number && number_of(c, i, 0, MAX_DEPTH, even) &&
                number_of(c, i, 1, MAX_DEPTH, odd) && *even != *odd)
                c->known[c->nknown++] = i;
        }
}

static void set(LLVMValueRef v, int64_t number) {
    LLVMReplaceAllUsesWith(v, LLVMConstInt(LLVMTypeOf(v), (unsigned long long)number, true));
}

static bool split_rows(coloured *c) {
    enum { MOST = MAX_LOADS + MAX_KNOWN + 1 };
    LLVMValueRef odd[MOST], even[MOST];
    if (!find_accesses(c) || !br_loop_prepare(c->f, c->outer) ||
        !prep_hands_on_in_any_order(c->f, c->outer))
        return false;
    find_known(c);
    size_t first = c->nloads + 1;
    odd[0] = c->store;
    for (size_t i = 0; i < c->nloads; i++)
        odd[i + 1] = c->loads[i];
    for (size_t i = 0; i < c->nknown; i++)
        odd[first + i] = c->known[i];
    if (!br_loop_halves(c->f, c->outer, odd, even, first + c->nknown))
        return false;
    for (size_t i = 0; i < c->nknown; i++) {
        set(even[first + i], c->even[i]);
        set(odd[first + i], c->odd[i]);
    }
    br_function_invalidate(c->f);
    return are_one_colour(c, even, odd);
}

/* Nests over all cells, of which a condition takes those of one colour: if ((i + j) % 2 == colour)
 */

/* Is the sum of multiples of both counters even or odd, in rows and columns of this kind? */
static bool sum_parity(const coloured *c, LLVMValueRef v, const int odd[2], int depth,
                       int64_t *out) {
    br_scev s = br_scev_of(c->f, v);
    br_loop loops[2] = {c->outer, c->inner};
    int64_t n, x, y, sum = 0;
    for (int i = 1; i >= 0; i--)
        if (br_scev_kind(s) == BR_ADDREC && br_scev_loop(s) == loops[i] && br_scev_count(s) == 2 &&
            br_scev_int(br_scev_operand(s, 1), &n)) {
            sum += (n & 1) * odd[i];
            s = br_scev_operand(s, 0);
        }
    if (br_scev_int(s, &n)) {
        *out = (sum + n) & 1;
        return true;
    }
    LLVMOpcode op = LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : LLVMRet;
    if (depth == 0)
        return false;
    if (op == LLVMZExt || op == LLVMSExt || op == LLVMTrunc ||
        (op == LLVMAnd && is_one(LLVMGetOperand(v, 1))))
        return sum_parity(c, LLVMGetOperand(v, 0), odd, depth - 1, out);
    if ((op != LLVMAdd && op != LLVMSub && op != LLVMXor) ||
        !sum_parity(c, LLVMGetOperand(v, 0), odd, depth - 1, &x) ||
        !sum_parity(c, LLVMGetOperand(v, 1), odd, depth - 1, &y))
        return false;
    *out = x ^ y;
    return true;
}

/* The value, if it is 0 or 1 in such rows and columns. */
static bool bit_in(const coloured *c, LLVMValueRef v, const int odd[2], int64_t *out) {
    LLVMValueRef constant = LLVMIsAConstantInt(v);
    if (constant) {
        *out = (int64_t)LLVMConstIntGetZExtValue(constant);
        return true;
    }
    if (!LLVMIsAInstruction(v))
        return false;
    if (LLVMGetInstructionOpcode(v) == LLVMZExt)
        return bit_in(c, LLVMGetOperand(v, 0), odd, out);
    bool low = is_parity(c, v) || (LLVMGetInstructionOpcode(v) == LLVMTrunc && host_is_bit(v));
    return low && sum_parity(c, LLVMGetOperand(v, 0), odd, MAX_SUMS, out);
}

/* Does the condition hold in such rows and columns? */
static bool holds_in(const coloured *c, LLVMValueRef condition, const int odd[2], bool *out) {
    int64_t x, y;
    if (!LLVMIsAICmpInst(condition)) {
        bool good = bit_in(c, condition, odd, &x);
        *out = good && x;
        return good;
    }
    LLVMIntPredicate p = LLVMGetICmpPredicate(condition);
    if ((p != LLVMIntEQ && p != LLVMIntNE) || !bit_in(c, LLVMGetOperand(condition, 0), odd, &x) ||
        !bit_in(c, LLVMGetOperand(condition, 1), odd, &y))
        return false;
    *out = (x == y) == (p == LLVMIntEQ);
    return true;
}

/* The condition in the inner loop that takes one colour; *first: whether that is the colour of the
 * first cell. Or NULL. */
static LLVMValueRef find_chequer(const coloured *c, bool *first) {
    LLVMBasicBlockRef b;
    for (size_t k = 0; (b = br_loop_block(c->inner, k)); k++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b), condition;
        bool is[2][2], good = br_is_conditional(end) && b != br_loop_latch(c->inner);
        condition = good ? LLVMGetCondition(end) : NULL;
        for (int i = 0; i < 4 && good; i++)
            good = host_in_loop(c->inner, condition) &&
                   holds_in(c, condition, (int[2]){i / 2, i % 2}, &is[i / 2][i % 2]);
        if (good && is[0][0] == is[1][1] && is[0][1] == is[1][0] && is[0][0] != is[0][1]) {
            *first = is[0][0];
            return condition;
        }
    }
    return NULL;
}

static bool find_chequered(coloured *c) {
    br_loop ignored;
    bool first;
    return c->outer && br_loop_latch(c->inner) && br_loop_children(c->inner, &ignored, 1) == 0 &&
           br_loop_children(c->outer, &ignored, 1) == 1 && find_chequer(c, &first);
}

/* Where the condition is decided, does control come to the store if it holds? */
static bool leads_to_store(const coloured *c, LLVMValueRef condition, bool holds) {
    LLVMBasicBlockRef b;
    for (size_t k = 0; (b = br_loop_block(c->inner, k)); k++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (br_is_conditional(end) && LLVMGetCondition(end) == condition &&
            br_dominates(c->f, LLVMGetSuccessor(end, !holds), LLVMGetInstructionParent(c->store)))
            return true;
    }
    return false;
}

enum { MOST_PARTS = MAX_LOADS + 2 }; /* the condition, the store, the loads */

/* Halves the inner loop, then the outer one, and decides the condition in the four quarters, of
 * which two are left. */
static bool split_chequers(coloured *c) {
    LLVMValueRef part[2][MOST_PARTS], copy[2][MOST_PARTS];
    LLVMBasicBlockRef head = br_loop_header(c->outer);
    bool first, stores;
    if (!find_accesses(c) || !br_loop_prepare(c->f, c->inner) || !br_loop_prepare(c->f, c->outer) ||
        br_loop_carried(c->f, c->inner, NULL, 0) > 0 ||
        br_loop_carried(c->f, c->outer, NULL, 0) > 0)
        return false;
    LLVMValueRef condition = find_chequer(c, &first);
    size_t count = c->nloads + 2;
    stores = leads_to_store(c, condition, true);
    if (!stores && !leads_to_store(c, condition, false))
        return false;
    part[1][0] = condition;
    part[1][1] = c->store;
    for (size_t i = 0; i < c->nloads; i++)
        part[1][i + 2] = c->loads[i];
    if (!br_loop_halves(c->f, c->inner, part[1], part[0], count))
        return false;
    br_function_invalidate(c->f);
    c->outer = prep_loop_at(c->f, head);
    if (!c->outer || !br_loop_prepare(c->f, c->outer))
        return false;
    LLVMValueRef all[2 * MOST_PARTS], even[2 * MOST_PARTS];
    for (size_t i = 0; i < 2 * count; i++)
        all[i] = part[i / count][i % count];
    if (!br_loop_halves(c->f, c->outer, all, even, 2 * count))
        return false;
    for (size_t i = 0; i < 2 * count; i++)
        copy[i / count][i % count] = even[i];
    for (int odd = 0; odd < 2; odd++) {
        set(copy[odd][0], first == (odd == 0));
        set(part[odd][0], first == (odd == 1));
    }
    br_function_invalidate(c->f);
    int live = first == stores ? 0 : 1; /* columns of even rows that are written */
    return are_one_colour(c, copy[live] + 1, part[!live] + 1);
}

static bool split(coloured *c) {
    return c->start ? split_rows(c) : split_chequers(c);
}

/* All nests of the loops */

/* Finds the next nest among the loops in `l`; or among those that `of` dominates. */
static bool find_next(coloured *c, br_loop l, LLVMBasicBlockRef of) {
    br_loop *loops;
    size_t count = prep_loops_there(c->f, l, of, &loops);
    bool found = false;
    for (size_t i = 0; i < count && !found; i++) {
        c->inner = loops[i];
        c->outer = br_loop_parent(loops[i]);
        *c->trusted = false;
        found = find_nest(c) || find_chequered(c);
    }
    free(loops);
    return found;
}

bool prep_has_colours(br_function *f, br_loop l) {
    bool ignored = false;
    coloured c = {.f = f, .trusts = true, .trusted = &ignored};
    return find_next(&c, l, NULL) && br_loop_contains(l, br_loop_header(c.outer));
}

/* Has the loop few iterations? In front of the mark; NULL: that is not known there. */
static LLVMValueRef build_few(coloured *c, br_loop l, LLVMValueRef mark, LLVMBuilderRef b) {
    br_loop outermost = l;
    while (br_loop_parent(outermost))
        outermost = br_loop_parent(outermost);
    bool room = c->nfew < 2 * MAX_NESTS;
    LLVMValueRef count = room ? prep_build_repeats(c->f, l, outermost, mark, b) : NULL;
    if (!count)
        return NULL;
    c->few[c->nfew++] = br_loop_header(l);
    LLVMValueRef most = LLVMConstInt(LLVMTypeOf(count), MOST_ITERATIONS, false);
    return LLVMBuildICmp(b, LLVMIntULT, count, most, "");
}

/* Lets control come to the twin only if the loops whose counters are looked at have few iterations.
 * Where rows begin to the side, the inner one's do not count. */
static bool require_few(coloured *c, LLVMValueRef mark) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(mark)));
    LLVMValueRef few = build_few(c, c->outer, mark, b);
    LLVMValueRef also = few && !c->start ? build_few(c, c->inner, mark, b) : few;
    if (also && also != few)
        few = LLVMBuildAnd(b, few, also, "");
    LLVMDisposeBuilder(b);
    if (also)
        prep_require(mark, few);
    br_function_invalidate(c->f);
    return also != NULL;
}

bool prep_split_colours(br_function *f, LLVMBasicBlockRef of, LLVMValueRef mark) {
    bool trusted;
    coloured c = {.f = f, .trusted = &trusted, .mark = mark};
    int count = 0;
    bool good = true;
    while (good && count < MAX_NESTS) {
        c.trusts = true;
        if (!find_next(&c, NULL, of))
            break;
        if (trusted) {
            good = !has_few(&c, c.outer) && require_few(&c, mark);
            continue;
        }
        c.trusts = false;
        good = split(&c);
        count++;
    }
    return good && count > 0;
}
