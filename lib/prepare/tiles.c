/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Makes one tile of all tiles (tiles.h). Legal when
 *   1. a loop over tiles begins at s, steps by t > 0, and ends at n. Its counter is used as the
 *      start of loops over a tile's cells, and in the ends of these, the lesser of n and the
 * counter plus t: so the tiles cover s to n, each number once;
 *   2. each loop hands on nothing but its counter, and what is read anew for the next cell. So
 *      nothing depends on the order of the cells but what they write and read in memory;
 *   3. what is stored is one element of an array for each cell, which each loop moves, and what is
 *      loaded of that array is the same element;
 *   4. what is accessed through other pointers lies apart, which is tested in front (apart.c).
 */
#include "prepare/tiles.h"
#include "detect/common/calls.h"
#include "detect/common/flow.h"
#include "model/fixed_limits.h"

#include <stdlib.h>

enum { MAX_ENDS = 8, MAX_DEPTH = 8, MAX_LOOPS = 256, MAX_STORES = ST_LIMIT(64, 4) };

/* A loop over tiles. */
typedef struct tiles {
    br_function *f;
    br_loop l;
    LLVMValueRef counter, next, step, limit;
    LLVMValueRef ahead; /* a phi that is the next tile's start, as LLVM makes one; or NULL */
    bool is_signed;     /* its comparison */
    LLVMValueRef leave; /* the branch by which the loop goes on */
    LLVMValueRef compare[MAX_ENDS]; /* where loops over a tile's cells end */
    int compares;
    LLVMValueRef end[MAX_ENDS]; /* where tiles end: the lesser of the limit and the next tile */
    int ends;
} tiles;

static LLVMValueRef without_casts(LLVMValueRef v) {
    while (LLVMIsASExtInst(v) || LLVMIsAZExtInst(v) || LLVMIsATruncInst(v))
        v = LLVMGetOperand(v, 0);
    return v;
}

static LLVMValueRef without_extensions(LLVMValueRef v) {
    while (LLVMIsASExtInst(v) || LLVMIsAZExtInst(v))
        v = LLVMGetOperand(v, 0);
    return v;
}

static bool same(LLVMValueRef a, LLVMValueRef b) {
    return without_casts(a) == without_casts(b);
}

static bool is_phi_of(br_loop l, LLVMValueRef v) {
    return LLVMIsAPHINode(v) && host_is_at_head(l, v);
}

/* Finds what a phi at the loop's head starts from and becomes. */
static bool ways_of(br_loop l, LLVMValueRef phi, LLVMValueRef *start, LLVMValueRef *next) {
    if (!br_loop_latch(l) || LLVMCountIncoming(phi) != 2)
        return false;
    *start = host_incoming(phi, l, false);
    *next = host_incoming(phi, l, true);
    return true;
}

/* The other part of a sum of the value, or of the value cast; NULL: it is no such sum. */
static LLVMValueRef added_to(LLVMValueRef sum, LLVMValueRef value) {
    if (!LLVMIsAInstruction(sum) || LLVMGetInstructionOpcode(sum) != LLVMAdd)
        return NULL;
    for (unsigned i = 0; i < 2; i++)
        if (same(LLVMGetOperand(sum, i), value))
            return LLVMGetOperand(sum, 1 - i);
    return NULL;
}

static bool is_outside(const tiles *t, LLVMValueRef v) {
    return !LLVMIsAInstruction(v) || !host_in_loop(t->l, v);
}

/* Are they the same number, once extended? */
static bool is_step(const tiles *t, LLVMValueRef v) {
    LLVMValueRef a = LLVMIsAConstantInt(without_extensions(v)), b = LLVMIsAConstantInt(t->step);
    if (a && b)
        return LLVMConstIntGetSExtValue(a) == LLVMConstIntGetSExtValue(b);
    return without_extensions(v) == without_extensions(t->step);
}

static bool counts_tiles(tiles *t, LLVMValueRef phi) {
    LLVMValueRef start, step = NULL;
    LLVMTypeRef type = LLVMTypeOf(phi);
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) > 64)
        return false;
    if (LLVMIsAPHINode(phi) && ways_of(t->l, phi, &start, &t->next))
        step = added_to(t->next, phi);
    LLVMValueRef number = step ? LLVMIsAConstantInt(step) : NULL;
    t->counter = phi;
    t->step = step;
    return step && is_outside(t, step) && (!number || LLVMConstIntGetSExtValue(number) > 1);
}

/* Finds the counter, the one value that the loop hands on, but for the next one's start. */
static bool find_counter(tiles *t) {
    LLVMValueRef first = LLVMGetFirstInstruction(br_loop_header(t->l));
    LLVMValueRef second = LLVMGetNextInstruction(first);
    if (!LLVMIsAPHINode(second))
        return counts_tiles(t, first);
    if (LLVMIsAPHINode(LLVMGetNextInstruction(second)))
        return false;
    for (int i = 0; i < 2; i++) {
        t->ahead = i ? first : second;
        if (counts_tiles(t, i ? second : first) &&
            br_scev_of(t->f, t->ahead) == br_scev_of(t->f, t->next))
            return true;
    }
    return false;
}

/* Finds the number at which the loop ends. */
static bool find_limit(tiles *t) {
    LLVMValueRef end =
        host_tests_last(t->l) ? LLVMGetBasicBlockTerminator(br_loop_latch(t->l)) : NULL;
    LLVMValueRef c = end && br_is_conditional(end) ? LLVMIsAICmpInst(LLVMGetCondition(end)) : NULL;
    if (!c)
        return false;
    bool stays = LLVMGetSuccessor(end, 0) == br_loop_header(t->l);
    bool swapped = same(LLVMGetOperand(c, 1), t->next);
    LLVMIntPredicate p = LLVMGetICmpPredicate(c);
    bool less = swapped ? p == LLVMIntSGT || p == LLVMIntUGT : p == LLVMIntSLT || p == LLVMIntULT;
    t->is_signed = p == LLVMIntSGT || p == LLVMIntSLT;
    t->leave = end;
    t->limit = LLVMGetOperand(c, !swapped);
    return stays && less && !LLVMGetNextUse(LLVMGetFirstUse(c)) &&
           (swapped || same(LLVMGetOperand(c, 0), t->next)) && is_outside(t, t->limit);
}

/* The limit, if the value is the lesser of it and the next tile; else NULL. The sum does not wrap:
 * limit and step are small positive numbers, which is tested in front. */
static LLVMValueRef limit_in(const tiles *t, LLVMValueRef v) {
    bool least = host_calls(v, t->is_signed ? "llvm.smin." : "llvm.umin.");
    for (unsigned i = 0; least && i < 2; i++) {
        LLVMValueRef sum = LLVMGetOperand(v, i), step = added_to(sum, t->counter);
        bool next = (step && is_step(t, step)) || (t->ahead && sum == t->ahead);
        LLVMValueRef limit = LLVMGetOperand(v, 1 - i);
        if (next && without_extensions(limit) == without_extensions(t->limit))
            return limit;
    }
    return NULL;
}

static bool is_end(const tiles *t, LLVMValueRef v) {
    return limit_in(t, v) != NULL;
}

static bool tells_order(LLVMValueRef compare) {
    LLVMIntPredicate p = LLVMGetICmpPredicate(compare);
    return p != LLVMIntEQ && p != LLVMIntNE;
}

/* Is the end of a tile used by comparisons alone: with the counter, and where a loop over the
 * tile's cells ends? */
static bool ends_cells(const tiles *t, LLVMValueRef end, int depth) {
    bool good = depth < MAX_DEPTH;
    for (LLVMUseRef u = LLVMGetFirstUse(end); u && good; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsACastInst(user)) {
            good = ends_cells(t, user, depth + 1);
            continue;
        }
        bool known = LLVMIsAICmpInst(user) && tells_order(user) &&
                     (same(LLVMGetOperand(user, 0), t->counter) ||
                      same(LLVMGetOperand(user, 1), t->counter));
        for (int i = 0; i < t->compares && !known; i++)
            known = t->compare[i] == user;
        good = known;
    }
    return good;
}

/* Does the phi go up by the same number in each iteration of the loop? */
static bool counts(br_function *f, br_loop l, LLVMValueRef phi, int64_t *step) {
    LLVMTypeRef type = LLVMTypeOf(phi);
    bool number = LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 64;
    br_scev s = number ? br_scev_of(f, phi) : NULL;
    *step = 0;
    if (!s || br_scev_kind(s) != BR_ADDREC || br_scev_loop(s) != l || br_scev_count(s) != 2)
        return false;
    br_scev_int(br_scev_operand(s, 1), step);
    return true;
}

/* Does control stay in the loop while the value is less than another one? That one; or NULL. */
static LLVMValueRef stays_below(const tiles *t, br_loop l, LLVMValueRef value) {
    LLVMBasicBlockRef exiting = br_loop_exiting_block(l);
    LLVMValueRef end = exiting ? LLVMGetBasicBlockTerminator(exiting) : NULL;
    LLVMValueRef c = end && br_is_conditional(end) ? LLVMIsAICmpInst(LLVMGetCondition(end)) : NULL;
    if (!c)
        return NULL;
    bool stays = br_loop_contains(l, LLVMGetSuccessor(end, 0));
    bool second = same(LLVMGetOperand(c, 1), value);
    LLVMIntPredicate p = LLVMGetICmpPredicate(c);
    LLVMIntPredicate less = t->is_signed ? second ? LLVMIntSGT : LLVMIntSLT
                            : second     ? LLVMIntUGT
                                         : LLVMIntULT;
    bool fits = stays ? p == less || p == LLVMIntNE : p == LLVMIntEQ;
    return fits && (second || same(LLVMGetOperand(c, 0), value)) ? LLVMGetOperand(c, !second)
                                                                 : NULL;
}

/* Is the phi the counter of a loop over the cells of a tile, from the tile's first one, `from`, to
 * the tile's end? */
static bool counts_cells(tiles *t, LLVMValueRef phi, LLVMValueRef from) {
    br_loop cells = br_loop_of(t->f, LLVMGetInstructionParent(phi));
    LLVMValueRef start, next;
    int64_t step;
    if (!cells || cells == t->l || !is_phi_of(cells, phi) || !ways_of(cells, phi, &start, &next) ||
        start != from || !counts(t->f, cells, phi, &step) || step != 1 || t->compares == MAX_ENDS)
        return false;
    LLVMValueRef end = stays_below(t, cells, next);
    if (!end || !is_end(t, without_casts(end)))
        return false;
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(br_loop_exiting_block(cells));
    t->compare[t->compares++] = LLVMGetCondition(branch);
    return true;
}

static bool is_used_well(tiles *t, LLVMValueRef v, int depth);

static bool is_good_user(tiles *t, LLVMValueRef v, LLVMValueRef user, int depth) {
    if (user == t->next || LLVMIsAICmpInst(user))
        return true;
    if (LLVMIsACastInst(user))
        return is_used_well(t, user, depth + 1);
    if (LLVMIsAPHINode(user))
        return counts_cells(t, user, v);
    bool sum = added_to(user, v) != NULL;
    for (LLVMUseRef u = sum ? LLVMGetFirstUse(user) : NULL; u && sum; u = LLVMGetNextUse(u)) {
        LLVMValueRef end = LLVMGetUser(u);
        sum = is_end(t, end) && t->ends < MAX_ENDS;
        if (sum)
            t->end[t->ends++] = end;
    }
    return sum;
}

/* Is the counter, or a cast of it, used as that of tiles alone? */
static bool is_used_well(tiles *t, LLVMValueRef v, int depth) {
    bool good = depth < MAX_DEPTH;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u && good; u = LLVMGetNextUse(u))
        good = is_good_user(t, v, LLVMGetUser(u), depth);
    return good;
}

/* Do comparisons with the counter compare it with ends of tiles? */
static bool is_compared_well(const tiles *t, LLVMValueRef v, int depth) {
    bool good = depth < MAX_DEPTH;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u && good; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsACastInst(user))
            good = is_compared_well(t, user, depth + 1);
        bool end = !LLVMIsAICmpInst(user);
        for (int i = 0; i < t->ends && !end; i++)
            end = same(LLVMGetOperand(user, 0), t->end[i]) ||
                  same(LLVMGetOperand(user, 1), t->end[i]);
        good = good && end;
    }
    return good;
}

/* Does the start of the next tile, as a phi of its own, become that of the one behind it? */
static bool is_ahead(const tiles *t, LLVMValueRef v, LLVMValueRef user) {
    LLVMValueRef start, next;
    return v == t->ahead && ways_of(t->l, t->ahead, &start, &next) && user == next;
}

/* Is the phi that is ahead used for nothing but itself and the ends of tiles? */
static bool is_next_used_well(tiles *t, LLVMValueRef v, int depth);
static bool is_ahead_used_well(tiles *t) {
    LLVMValueRef start, next;
    if (!t->ahead)
        return true;
    bool alone = ways_of(t->l, t->ahead, &start, &next) && next != t->next;
    LLVMUseRef u = alone ? LLVMGetFirstUse(next) : NULL;
    return u && !LLVMGetNextUse(u) && is_next_used_well(t, t->ahead, 0);
}

/* The next tile's start is used to go on, and to end tiles. */
static bool is_next_used_well(tiles *t, LLVMValueRef v, int depth) {
    LLVMValueRef c = LLVMGetCondition(t->leave);
    bool good = depth < MAX_DEPTH;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u && good; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (user == c || user == t->counter || (t->ahead && is_ahead(t, v, user)))
            continue;
        if (LLVMIsACastInst(user)) {
            good = is_next_used_well(t, user, depth + 1);
            continue;
        }
        good = is_end(t, user) && t->ends < MAX_ENDS;
        if (good)
            t->end[t->ends++] = user;
    }
    return good;
}

static bool is_tiles(tiles *t, br_function *f, br_loop l) {
    *t = (tiles){.f = f, .l = l};
    bool good = find_counter(t) && find_limit(t) && is_used_well(t, t->counter, 0) &&
                is_next_used_well(t, t->next, 0) && is_ahead_used_well(t) && t->compares > 0 &&
                is_compared_well(t, t->counter, 0);
    for (int i = 0; i < t->ends && good; i++)
        good = ends_cells(t, t->end[i], 0);
    return good;
}

/* By how much an address goes up in each iteration, if it does by a number that the loop does not
 * change; its first value. */
static br_scev walks(br_function *f, br_loop l, LLVMValueRef load, br_scev *first) {
    br_scev s = LLVMIsALoadInst(load) ? br_scev_of(f, LLVMGetOperand(load, 0)) : NULL;
    if (!s || br_scev_kind(s) != BR_ADDREC || br_scev_loop(s) != l || br_scev_count(s) != 2)
        return NULL;
    *first = br_scev_operand(s, 0);
    return br_scev_operand(s, 1);
}

/* Is the phi what a load of the loop read in the iteration before, as LLVM makes one of
 * `a[j - 1]`? Then the first one was read one step before the load's first address, and *step is
 * the load's. *from: the address of the first one. */
static bool is_reread(br_function *f, br_loop l, LLVMValueRef phi, int depth, br_scev *from,
                      br_scev *step) {
    LLVMValueRef start, next;
    br_scev first = NULL;
    if (depth == MAX_DEPTH || !ways_of(l, phi, &start, &next) || !LLVMIsALoadInst(start))
        return false;
    if (!is_phi_of(l, next))
        *step = walks(f, l, next, &first);
    else if (!is_reread(f, l, next, depth + 1, &first, step))
        return false;
    *from = br_scev_of(f, LLVMGetOperand(start, 0));
    return *step && br_scev_sum(f, *from, *step) == first;
}

/* Does the loop hand on its counter alone, and for tiles the next one's start? An innermost loop
 * may hand on what LLVM loaded for the next cell. Another counter would start anew in each tile. */
static bool hands_on_counter(br_function *f, br_loop l) {
    br_loop inner;
    bool good = true, innermost = br_loop_children(l, &inner, 1) == 0;
    int counters = 0;
    LLVMValueRef phi = LLVMGetFirstInstruction(br_loop_header(l)), start, next;
    for (; good && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
        int64_t step;
        br_scev from, by;
        bool counter = ways_of(l, phi, &start, &next) && counts(f, l, phi, &step);
        counters += counter;
        good = counter || (innermost && is_reread(f, l, phi, 0, &from, &by));
    }
    tiles *t = counters > 1 ? malloc(sizeof *t) : NULL;
    good = good && (counters < 2 || (is_tiles(t, f, l) && counters == 2));
    free(t);
    return good;
}

static bool all_hand_on_counters(br_function *f, br_loop l) {
    br_loop inner[8];
    size_t count = br_loop_children(l, inner, 8);
    bool good = count <= 8 && hands_on_counter(f, l);
    for (size_t i = 0; i < count && good; i++)
        good = all_hand_on_counters(f, inner[i]);
    return good;
}

/* Does each loop that has the store move its address? Otherwise each tile may store anew. */
static bool moves_in_all(br_function *f, br_loop nest, LLVMValueRef store) {
    br_scev to = br_scev_of(f, LLVMGetOperand(store, 1));
    br_loop l = br_loop_of(f, LLVMGetInstructionParent(store));
    bool moves = true;
    for (; moves && l && br_loop_contains(nest, br_loop_header(l)); l = br_loop_parent(l))
        moves = !br_scev_invariant(f, to, l);
    return moves;
}

/* Is what the cells store and load of an array the same element? Nothing else is written. */
static bool stores_own_cells(br_function *f, br_loop l) {
    LLVMValueRef stores[MAX_STORES];
    size_t count = 0;
    LLVMBasicBlockRef b;
    for (size_t k = 0; (b = br_loop_block(l, k)); k++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            bool store = LLVMIsAStoreInst(i) && host_is_plain(i);
            if (!store && br_may_write(i) && !host_is_annotation(host_callee_name(i)))
                return false;
            if (store && count == MAX_STORES)
                return false;
            if (store)
                stores[count++] = i;
        }
    for (size_t n = 0; n < count; n++) {
        LLVMValueRef to = LLVMGetOperand(stores[n], 1);
        if (!moves_in_all(f, l, stores[n]))
            return false;
        for (size_t k = 0; (b = br_loop_block(l, k)); k++)
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                if (!LLVMIsAStoreInst(i) && !LLVMIsALoadInst(i))
                    continue;
                LLVMValueRef other = LLVMGetOperand(i, LLVMIsAStoreInst(i) ? 1 : 0);
                if (host_base_of(other) == host_base_of(to) && other != to &&
                    br_scev_of(f, other) != br_scev_of(f, to))
                    return false;
            }
    }
    return count > 0;
}

/* May the cells of the nest in the loop be made in another order? */
static bool is_in_any_order(br_function *f, br_loop l) {
    return all_hand_on_counters(f, l) && stores_own_cells(f, l);
}

bool prep_has_tiles(br_function *f, br_loop l) {
    br_loop inner[MAX_LOOPS];
    tiles t;
    if (is_tiles(&t, f, l))
        return is_in_any_order(f, l);
    size_t count = br_loop_children(l, inner, MAX_LOOPS);
    bool has = false;
    for (size_t i = 0; i < count && i < MAX_LOOPS && !has; i++)
        has = prep_has_tiles(f, inner[i]);
    return has;
}

/* One tile */

static void join(const tiles *t) {
    LLVMValueRef start = NULL, next;
    if (!ways_of(t->l, t->counter, &start, &next))
        return;
    for (int i = 0; i < t->ends; i++)
        LLVMReplaceAllUsesWith(t->end[i], limit_in(t, t->end[i]));
    LLVMReplaceAllUsesWith(t->counter, start);
    LLVMValueRef c = LLVMGetCondition(t->leave);
    LLVMSetCondition(t->leave, LLVMConstNull(LLVMTypeOf(c)));
}

/* The number must be known in front of the nest. */
static bool note(prep_positive *p, const tiles *t, br_loop nest, LLVMValueRef number) {
    number = without_extensions(number);
    LLVMValueRef known = LLVMIsAConstantInt(number);
    if (LLVMGetIntTypeWidth(LLVMTypeOf(number)) > 64)
        return false;
    if (known)
        return LLVMConstIntGetSExtValue(known) > 0 &&
               LLVMConstIntGetSExtValue(known) <
                   1ll << (LLVMGetIntTypeWidth(LLVMTypeOf(number)) - 2);
    for (int i = 0; i < p->count; i++)
        if (p->number[i] == number)
            return true;
    if (p->count == TILES_MAX_POSITIVE || host_in_loop(nest, number) || !is_outside(t, number))
        return false;
    p->number[p->count++] = number;
    return true;
}

bool prep_join_tiles(br_function *f, LLVMBasicBlockRef of, prep_positive *p) {
    br_loop *loops = malloc(MAX_LOOPS * sizeof *loops), nest = NULL; /* the last one to be joined */
    size_t count = br_loops(f, loops, MAX_LOOPS);
    bool good = count <= MAX_LOOPS;
    tiles *t = malloc(sizeof *t);
    p->count = 0;
    for (size_t i = 0; i < count && good; i++) {
        if (!br_dominates(f, of, br_loop_header(loops[i])) || !is_tiles(t, f, loops[i]))
            continue;
        bool inner = nest && br_loop_contains(nest, br_loop_header(loops[i]));
        if (!inner && !is_in_any_order(f, loops[i]))
            continue;
        nest = inner ? nest : loops[i];
        good = note(p, t, nest, t->step) && note(p, t, nest, t->limit);
        if (good)
            join(t);
    }
    free(t);
    free(loops);
    return good && nest;
}
