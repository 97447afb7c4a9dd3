/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Guards: which cells the kernel writes.
 *
 * The branches that decide whether a store is reached, on the way from the entry (back edges
 * aside), and that are on every such way, are guards: the stores run where all their conditions
 * hold, be they nested ifs, early returns or one `and`. Each compares a coordinate with a number
 * that is the same for all threads, so that the cells are a box. From the first branch on whose
 * condition is no such comparison, the statement has conditions: of the cells in the box some are
 * written, or some arrays'
 * (see st_stencil's `masked`). `place` is that branch's block. Where a second condition lets in all
 * that are left of a greater box, its bounds are guards, too.
 */
#include "detect/common/flow.h"
#include "detect/kernel/stages.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BLOCKS = HOST_MAX_OUTER_BLOCKS };

typedef struct ways {
    LLVMBasicBlockRef blocks[MAX_BLOCKS]; /* from which the store is reached */
    int count;
} ways;

static bool is_in(const ways *w, LLVMBasicBlockRef block) {
    for (int i = 0; i < w->count; i++)
        if (w->blocks[i] == block)
            return true;
    return false;
}

/* Is there an edge from `from` into w, going forward? */
static bool leads_into(const kernel_region *k, const ways *w, LLVMBasicBlockRef from,
                       LLVMBasicBlockRef to) {
    return is_in(w, to) && !br_dominates(k->f, to, from);
}

static void find_ways(const kernel_region *k, ways *w) {
    w->blocks[0] = LLVMGetInstructionParent(k->store);
    w->count = 1;
    for (int i = 0; i < k->nalso; i++)
        if (!is_in(w, LLVMGetInstructionParent(k->also[i])))
            w->blocks[w->count++] = LLVMGetInstructionParent(k->also[i]);
    for (bool more = true; more;) {
        more = false;
        LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->function);
        for (; b; b = LLVMGetNextBasicBlock(b)) {
            LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
            bool leads = false;
            for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
                leads |= leads_into(k, w, b, LLVMGetSuccessor(end, i));
            if (leads && !is_in(w, b) && w->count < MAX_BLOCKS) {
                w->blocks[w->count++] = b;
                more = true;
            }
        }
    }
}

/* Does the block decide whether a store is reached? Then `chosen` is the successor that leads to
 * it. */
static bool decides(const kernel_region *k, const ways *w, LLVMBasicBlockRef block,
                    unsigned *chosen) {
    unsigned count = LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(block)), good = 0;
    for (unsigned i = 0; i < count; i++)
        if (leads_into(k, w, block, LLVMGetSuccessor(LLVMGetBasicBlockTerminator(block), i))) {
            good++;
            *chosen = i;
        }
    return good != count;
}

/* The last block that is on every way to a and on every way to b. */
static LLVMBasicBlockRef common_dominator(const kernel_region *k, LLVMBasicBlockRef a,
                                          LLVMBasicBlockRef b) {
    LLVMBasicBlockRef best = LLVMGetEntryBasicBlock(k->function), c = best;
    for (; c; c = LLVMGetNextBasicBlock(c))
        if (br_dominates(k->f, c, a) && br_dominates(k->f, c, b) && br_dominates(k->f, best, c))
            best = c;
    return best;
}

static LLVMBasicBlockRef store_block(const kernel_region *k, int i) {
    return LLVMGetInstructionParent(i > 0 ? k->also[i - 1] : k->store);
}

/* Before what decides on some ways to a store alone. */
static LLVMBasicBlockRef find_place(const kernel_region *k, const ways *w) {
    LLVMBasicBlockRef place = store_block(k, 0);
    unsigned ignored;
    for (int i = 1; i <= k->nalso; i++)
        place = common_dominator(k, place, store_block(k, i));
    for (int i = 0; i < w->count; i++)
        if (decides(k, w, w->blocks[i], &ignored) && !br_dominates(k->f, w->blocks[i], place))
            place = common_dominator(k, place, w->blocks[i]);
    return place;
}

static bool guard_of(kernel_region *k, const ways *w, LLVMBasicBlockRef block) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    unsigned chosen = 0;
    if (!decides(k, w, block, &chosen))
        return true;
    if (!br_is_branch(end))
        return kernel_refuse(k, ST_NO_KERNEL_GUARD, "a switch");
    return kernel_guard_by(k, LLVMGetCondition(end), chosen == 0);
}

/* The cells along the axis of a loop in the kernel are those that it walks over. */
static bool bound_march(kernel_region *k) {
    br_scev count = k->march_loop ? br_backedge_count(k->f, k->march_loop) : NULL;
    poly low = NULL, high;
    int64_t number;
    int axis = 0;
    if (!k->march_loop)
        return true;
    while (k->cells == 1 && kernel_root_of(k->values, k->axes[axis].lead)->loop != k->march_loop)
        axis++;
    if (!count || !kernel_poly(&k->ask, count, &high) || kernel_varies(k->values, high))
        return kernel_refuse(k, ST_NO_KERNEL_LOOP,
                             "threads do not all know its number of iterations");
    high = poly_plus(k->f, high, host_tests_first(k->march_loop) ? 0 : 1);
    if (k->part || k->cells > 1) /* all of them together have no bounds but their guards */
        return (poly_is_int(high, &number) && number == (k->part ? k->part : k->cells)) ||
               kernel_refuse(k, ST_NO_KERNEL_LOOP,
                             "blocks or threads walk over parts that overlap or do not meet");
    return kernel_add_bound(k, axis, KERNEL_AT_LEAST, low, NULL, KERNEL_ALWAYS) &&
           kernel_add_bound(k, axis, KERNEL_BELOW, high, NULL, KERNEL_ALWAYS);
}

/* A loop that tests at its end must test what was tested before it: then that holds for all cells.
 */
static bool check_latch(kernel_region *k, br_loop l) {
    if (!l || host_tests_first(l))
        return true;
    LLVMBasicBlockRef block = br_loop_exiting_block(l);
    LLVMValueRef end = block ? LLVMGetBasicBlockTerminator(block) : NULL;
    if (!end || block != br_loop_latch(l) || !br_is_conditional(end) ||
        !LLVMIsAICmpInst(LLVMGetCondition(end)))
        return kernel_refuse(k, ST_NO_KERNEL_LOOP, "its end is not one comparison");
    return kernel_guard_at_latch(k, LLVMGetCondition(end),
                                 LLVMGetSuccessor(end, 0) == br_loop_header(l), l);
}

static bool check_bounds(kernel_region *k) {
    for (int i = 0; i < k->nbounds; i++)
        if (k->bounds[i].when != KERNEL_ALWAYS)
            return kernel_refuse(k, ST_NO_KERNEL_LOOP,
                                 "it does not end where its first iteration would");
    return true;
}

/* The next block after `last` (NULL: the entry) that is on every way to k->place; NULL: none. */
static LLVMBasicBlockRef next_dominator(const kernel_region *k, LLVMBasicBlockRef last) {
    LLVMBasicBlockRef next = NULL, b = LLVMGetFirstBasicBlock(k->function);
    if (!last)
        return b;
    for (; b; b = LLVMGetNextBasicBlock(b))
        if (b != last && br_dominates(k->f, last, b) && br_dominates(k->f, b, k->place) &&
            (!next || br_dominates(k->f, b, next)))
            next = b;
    return next;
}

/* May the statement, of one cell, have conditions from this block on? In all loops, for the head of
 * a loop runs for every cell. */
static bool may_begin(const kernel_region *k, LLVMBasicBlockRef block) {
    br_loop loops[2];
    size_t count = br_loops(k->f, loops, 2);
    bool good = k->cells == 1 && k->nstores == 1;
    for (size_t i = 0; i < count && i < 2; i++)
        good &= br_loop_contains(loops[i], block);
    return good;
}

/* Is every cell that the bounds from `first` on let in also within one of these? */
static bool contains(const kernel_region *k, int first, const kernel_bound *inner, int count) {
    bool all = true;
    for (int i = first; i < k->nbounds && all; i++) {
        const kernel_bound *b = &k->bounds[i];
        bool within = false;
        for (int n = 0; n < count && !within; n++) {
            bool same = inner[n].axis == b->axis && inner[n].relation == b->relation;
            bool low = b->relation == KERNEL_AT_LEAST;
            int64_t more;
            within = same && b->relation != KERNEL_NOT &&
                     poly_is_int(low ? poly_sub(inner[n].limit, b->limit)
                                     : poly_sub(b->limit, inner[n].limit),
                                 &more) &&
                     more >= 0;
        }
        all = within && b->when == KERNEL_ALWAYS;
    }
    return all;
}

/* The one block behind the place that decides whether a cell is written; or NULL. */
static LLVMBasicBlockRef find_second(const kernel_region *k, const ways *w) {
    LLVMBasicBlockRef second = NULL;
    for (int i = 0; i < w->count; i++) {
        unsigned none = UINT_MAX, chosen = none; /* behind a store: no way leads to one */
        if (!br_dominates(k->f, k->place, w->blocks[i]) || !decides(k, w, w->blocks[i], &chosen) ||
            chosen == none)
            continue;
        if (second)
            return NULL;
        second = w->blocks[i];
    }
    bool good =
        second && second != k->place && br_is_conditional(LLVMGetBasicBlockTerminator(second));
    return good ? second : NULL;
}

static int count_edges(LLVMBasicBlockRef to) {
    int count = 0;
    for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(to)); u; u = LLVMGetNextUse(u))
        count++;
    return count;
}

/* Adds the bounds of the branches from the place on by which control does not come to `second`: all
 * edges to it must be theirs. */
static bool bound_inner(kernel_region *k, LLVMBasicBlockRef second) {
    LLVMBasicBlockRef b = k->place;
    int edges = count_edges(second);
    for (; edges > 0; edges--) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (!br_is_conditional(end) || (b != k->place && !host_has_one_edge(b)))
            return false;
        unsigned leaves = LLVMGetSuccessor(end, 1) == second;
        if (LLVMGetSuccessor(end, leaves) != second || LLVMGetSuccessor(end, !leaves) == second ||
            !kernel_guard_by(k, LLVMGetCondition(end), leaves == 1))
            return false;
        b = LLVMGetSuccessor(end, !leaves);
    }
    return true;
}

/* if (inside) b[i] = v; else if (x < nx && y < ny) b[i] = 0; writes the cells that the second
 * condition lets in if these are more than those of the first one. Then its bounds are guards, and
 * all cells within them are written. */
static void bound_either(kernel_region *k, const ways *w) {
    LLVMBasicBlockRef second = find_second(k, w);
    kernel_bound inner[KERNEL_MAX_BOUNDS];
    int first = k->nbounds, uniform = k->nuniform;
    unsigned chosen = 0;
    if (!second)
        return;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(second);
    decides(k, w, second, &chosen);
    bool good = bound_inner(k, second);
    int count = k->nbounds - first;
    memcpy(inner, &k->bounds[first], (size_t)count * sizeof *inner);
    k->nbounds = first;
    k->nuniform = uniform; /* these make the inner cells fewer, or none */
    good = good && kernel_guard_by(k, LLVMGetCondition(end), chosen == 0) &&
           k->nuniform == uniform && contains(k, first, inner, count);
    if (good) {
        k->second = second;
        k->past = LLVMGetSuccessor(end, !chosen);
        return;
    }
    k->nbounds = first;
    k->nuniform = uniform;
    k->why.reason = ST_OK;
}

static bool find_branches(kernel_region *k) {
    ways *w = malloc(sizeof *w);
    bool good = true;
    find_ways(k, w);
    k->place = find_place(k, w);
    if (k->place != store_block(k, 0) && !may_begin(k, k->place))
        good = kernel_refuse(k, ST_NO_KERNEL_GUARD, "one of several conditions is enough");
    LLVMBasicBlockRef b = NULL;
    while (good && (b = next_dominator(k, b)) && b != k->place) {
        good = guard_of(k, w, b);
        if (good || !may_begin(k, b) || k->why.reason != ST_NO_KERNEL_GUARD)
            continue;
        k->place = b;
        k->why.reason = ST_OK;
        good = true;
        break;
    }
    if (good && k->place != store_block(k, 0))
        bound_either(k, w);
    free(w);
    return good;
}

bool kernel_find_guards(kernel_region *k) {
    if (!bound_march(k) || !find_branches(k) || !check_latch(k, k->stride_loop) ||
        !check_latch(k, k->other_stride_loop) || !check_bounds(k))
        return false;
    kernel_bound_first_rows(k);
    return true;
}
