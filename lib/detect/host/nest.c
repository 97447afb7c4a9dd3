/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The shape of a nest: which loops belong to a region, and how many iterations each makes. Legal
 * when
 *   1. every loop has one latch, one exit, at the latch or (not rotated, as with -Oz) at the head,
 *      and a computable iteration count that does not change in the region (the domain is a box);
 *   2. each loop directly holds the next (the time loop may hold several sweeps, see pair.c and
 *      steps.c), and branches that skip it depend on invariants only (guards.c);
 *   3. the instructions have no other effect than the sweep's stores (effects.c).
 */
#include "detect/host/nest.h"
#include "detect/common/flow.h"
#include "detect/host/address.h"
#include "detect/host/after.h"
#include "detect/host/region.h"

#include <stdlib.h>

/* Is the loop stepped by more than one, as one over tiles is? */
static bool is_over_tiles(br_function *f, br_loop l) {
    LLVMValueRef i = LLVMGetFirstInstruction(br_loop_header(l));
    for (; i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
        br_scev s = LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMIntegerTypeKind ? br_scev_of(f, i) : NULL;
        if (!s || br_scev_kind(s) != BR_ADDREC)
            continue;
        int64_t step;
        return !br_scev_int(br_scev_operand(s, 1), &step) || llabs(step) != 1;
    }
    return false;
}

/* Says so of loops inside loops over tiles. */
static const char *tiles_around(host_region *r, br_loop l) {
    for (l = br_loop_parent(l); l; l = br_loop_parent(l))
        if (is_over_tiles(r->f, l))
            return "; the loops are tiled by hand: write them without tiles";
    return NULL;
}

/* Is something in it read in the region? */
static bool is_read(const host_region *r, br_scev s) {
    if (br_scev_kind(s) == BR_UNKNOWN)
        return LLVMIsALoadInst(br_scev_value(s)) && host_in_loop(r->outer, br_scev_value(s));
    bool is = false;
    for (size_t i = 0; i < br_scev_count(s) && !is; i++)
        is = is_read(r, br_scev_operand(s, i));
    return is;
}

/* Does the loop go over every other cell, as those of red and black cells do? */
static bool goes_by_two(const host_region *r, br_loop l) {
    LLVMValueRef i = LLVMGetFirstInstruction(br_loop_header(l));
    for (; i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
        bool counts = LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMIntegerTypeKind;
        br_scev s = counts ? br_scev_of(r->f, i) : NULL;
        int64_t step;
        if (s && br_scev_kind(s) == BR_ADDREC && br_scev_loop(s) == l && br_scev_count(s) == 2 &&
            br_scev_int(br_scev_operand(s, 1), &step) && (step == 2 || step == -2))
            return true;
    }
    return false;
}

/* What to do about the bounds of the loop. */
static const char *about_bounds(host_region *r, br_loop l, br_scev count) {
    const char *tiles = tiles_around(r, l);
    if (!tiles && goes_by_two(r, l))
        return "; if it goes over red or black cells, update one array in place, let a time loop "
               "hold the nests of both colours, and add up floating-point numbers in a nest of "
               "their own";
    if (tiles || !is_read(r, count))
        return tiles;
    return ", or are read in it; copy such bounds to local variables first";
}

/* A loop that is left from within its body, around sweeps perhaps in some of its steps only. */
static bool refuse_test(host_region *r, br_loop l) {
    LLVMBasicBlockRef from = br_loop_exiting_block(l);
    bool some = r->steps && l == r->time && !br_dominates(r->f, from, br_loop_latch(l));
    return host_refuse(r, ST_NO_CONTROL_FLOW,
                       some ? "the loop around ends by a condition that it tests in some of its "
                              "steps only; test it in each step"
                            : "a loop tests its condition within its body");
}

static bool check_shape(host_region *r, br_loop l) {
    LLVMBasicBlockRef latch = br_loop_latch(l);
    if (!latch)
        return host_refuse(r, ST_NO_CONTROL_FLOW, "a loop is continued from several places");
    if (!br_loop_exiting_block(l) || !br_loop_exit_block(l))
        return host_refuse_exits(l, &r->why);
    if (br_loop_exiting_block(l) != latch && !host_tests_first(l))
        return refuse_test(r, l);
    bool stores = LLVMGetInstructionParent(r->store) == br_loop_header(l);
    for (int i = 0; i < r->nalso; i++)
        stores |= LLVMGetInstructionParent(r->also[i]) == br_loop_header(l);
    if (host_tests_first(l) && stores)
        return host_refuse(r, ST_NO_CONTROL_FLOW, "a loop tests its condition within its body");
    return true;
}

/* A loop whose index is narrower than its bound ends only if the index does not wrap. */
static bool count_conditionally(host_region *r, int i) {
    br_no_wrap conditions[4];
    size_t count;
    r->count[i] = br_backedge_count_if(r->f, r->loops[i], conditions, 4, &count);
    if (!r->count[i])
        return false;
    for (size_t c = 0; c < count; c++)
        if (!host_require_range(r, conditions[c].recurrence, conditions[c].is_signed))
            return false;
    return true;
}

/* Is a value of the loop used where the block leaves it? */
static bool hands_out(br_loop l, LLVMBasicBlockRef exiting) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(exiting);
    bool any = false;
    for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) {
        LLVMBasicBlockRef out = LLVMGetSuccessor(end, k);
        LLVMValueRef phi = br_loop_contains(l, out) ? NULL : LLVMGetFirstInstruction(out);
        for (; phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
            for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
                any |= LLVMGetIncomingBlock(phi, i) == exiting &&
                       host_in_loop(l, LLVMGetIncomingValue(phi, i));
    }
    return any;
}

/* The iterations of a time loop that has other exits, which control does not come to where the
 * sweeps run: LLVM makes a way of its own for grids without cells. */
static br_scev count_of_only_exit(const host_region *r, br_loop l) {
    const host_steps *s = r->steps;
    if (!s->left || br_loop_exiting_block(l) || s->nexits != 1 || hands_out(l, s->exiting[0]))
        return NULL;
    return br_exit_count(r->f, l, s->exiting[0]);
}

/* A time loop of sweeps that conditions end which it computes: what they are, look_at_all in
 * steps.c asks later. */
static bool ends_by_itself(host_region *r, br_loop l, br_scev *count) {
    if (!r->steps || l != r->time || !br_loop_latch(l) || !host_find_exits(r->steps))
        return false;
    *count = count_of_only_exit(r, l);
    r->steps->stops = false;
    if (*count && br_scev_invariant(r->f, *count, l))
        return true;
    *count = NULL;
    bool counted = br_loop_exiting_block(l) && br_backedge_count(r->f, l);
    bool left = r->steps->left && !br_loop_exiting_block(l);
    bool open = left || r->steps->exiting[0] == br_loop_latch(l);
    r->steps->stops = r->steps->nexits > 1 || (open && !counted);
    return r->steps->stops;
}

static bool check_loop(host_region *r, int i) {
    br_loop l = r->loops[i];
    r->count[i] = NULL;
    if (ends_by_itself(r, l, &r->count[i]))
        return true;
    if (!check_shape(r, l))
        return false;
    r->count[i] = br_backedge_count(r->f, l);
    if (!r->count[i] && !count_conditionally(r, i)) /* a call may change the bound */
        return host_check_calls(r, l) && host_refuse(r, ST_NO_NO_TRIP_COUNT, NULL);
    if (!br_scev_invariant(r->f, r->count[i], r->outer))
        return host_refuse(r, i + 1 < r->nloops ? ST_NO_NOT_RECTANGULAR : ST_NO_NO_TRIP_COUNT,
                           about_bounds(r, l, r->count[i]));
    return true;
}

/* Several sweeps are beside one another in the time loop. */
static size_t children_wanted(const host_region *r, int i) {
    return r->twin && r->loops[i] == r->time ? (size_t)r->nests : i > 0;
}

static bool check_children(host_region *r) {
    for (int i = 0; i < r->nloops; i++) {
        br_loop l = r->loops[i], child = i > 0 ? r->loops[i - 1] : NULL;
        bool several = r->steps && i >= r->own;
        if (!several && br_loop_children(l, &(br_loop){NULL}, 1) != children_wanted(r, i))
            return tiles_around(r, child ? child : l)
                       ? host_refuse(r, ST_NO_NOT_RECTANGULAR, tiles_around(r, child ? child : l))
                       : host_refuse(r, ST_NO_NOT_INNERMOST_STORE, "another loop");
        LLVMBasicBlockRef target = child                  ? br_loop_header(child)
                                   : several || r->copies ? LLVMGetInstructionParent(r->store)
                                                          : NULL;
        if (target && !host_find_guards(r, l, child, target))
            return false;
    }
    return true;
}

bool host_check_innermost(host_region *r) {
    r->axes = 1;
    return check_shape(r, r->loops[0]) && host_check_effects(r);
}

bool host_check_loops(host_region *r) {
    for (int i = 0; i < r->nloops; i++)
        if (!check_loop(r, i))
            return false;
    return check_children(r);
}
