/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The sweeps of a nest of loops in a time loop: one for each innermost loop. A loop that holds
 * several loops, one after the other, is as if each had it for itself. This is legal if none of
 * them writes a cell that another one reads or writes, which the runtime checks:
 * STENCILRT_TOGETHER.
 */
#include "bridge/loop_places.h"
#include "detect/common/calls.h"
#include "detect/common/flow.h"
#include "detect/common/limits.h"
#include "detect/host/loads.h"
#include "detect/host/nest.h"
#include "detect/host/region.h"
#include "detect/host/steps/forms.h"
#include "detect/host/steps/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool host_refuse_steps(host_steps *s, st_reason reason, const char *detail) {
    s->reason = s->cause = reason;
    snprintf(s->detail, sizeof s->detail, "%s", detail);
    return false;
}

static bool refuse(host_steps *s, const char *detail) {
    return host_refuse_steps(s, ST_NO_SWEEPS, detail);
}

/* The first load that each iteration makes and that walks all loops of the nest: by strides if
 * there is one, else by an index that is brought back at the ends. */
static LLVMValueRef first_walking_load(host_steps *s, host_region *r) {
    LLVMValueRef by_choice = NULL;
    LLVMValueRef i =
        br_loop_latch(r->loops[0]) ? LLVMGetFirstInstruction(br_loop_header(r->loops[0])) : NULL;
    for (; i; i = LLVMGetNextInstruction(i)) {
        br_loop chain[HOST_MAX_LOOPS + 1];
        int length;
        bool beyond;
        if (!LLVMIsALoadInst(i))
            continue;
        if (host_walked(s->f, r->loops[0], LLVMGetOperand(i, 0), chain, &length, &beyond) ==
            r->axes)
            return i;
        if (!by_choice && host_walked_by_load(s->f, r->loops[0], i, chain, &length) == r->axes)
            by_choice = i;
    }
    return by_choice;
}

static bool find_measured(host_steps *s, host_region *r) {
    st_refusal exits;
    if (!br_loop_exiting_block(r->loops[0]) && !host_refuse_exits(r->loops[0], &exits))
        return host_refuse_steps(s, exits.reason, exits.detail);
    r->store = first_walking_load(s, r);
    r->measures = r->store != NULL;
    return r->store || refuse(s, "a loop in it writes no array");
}

/* An innermost loop assigns elements or copies memory, not both. */
static bool add_stores(host_steps *s, host_region *r) {
    LLVMBasicBlockRef blocks[HOST_MAX_BLOCKS];
    size_t count = br_loop_blocks(r->loops[0], blocks, HOST_MAX_BLOCKS);
    if (count > HOST_MAX_BLOCKS)
        return refuse(s, "a loop in it has more than 256 basic blocks");
    for (size_t b = 0; b < count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(blocks[b]); i;
             i = LLVMGetNextInstruction(i)) {
            if (!LLVMIsAStoreInst(i) && !host_is_copy(i))
                continue;
            if (r->store && r->copies != host_is_copy(i))
                return refuse(s, "a loop copies memory, and more");
            r->copies = host_is_copy(i);
            if (r->store && r->nalso == HOST_MAX_STORES)
                return refuse(s, "a loop assigns more than 64 array elements");
            if (r->store)
                r->also[r->nalso++] = i;
            else
                r->store = i;
        }
    return r->store || find_measured(s, r);
}

/* The loops from a nest's outermost one to one of its innermost ones. `shared` of them hold the
 * loops of other sweeps, too. */
typedef struct way_in {
    br_loop loop[ST_MAX_RANK];
    int depth, shared;
} way_in;

/* Does each store walk all loops of the nest? */
static bool walks_all_loops(const host_steps *s, const host_region *r) {
    bool all = true;
    for (int i = 0; i <= r->nalso; i++) {
        br_loop chain[HOST_MAX_LOOPS + 1];
        int length;
        bool beyond;
        LLVMValueRef store = i > 0 ? r->also[i - 1] : r->store;
        all &= LLVMIsAStoreInst(store) && host_walked(s->f, r->loops[0], LLVMGetOperand(store, 1),
                                                      chain, &length, &beyond) == r->axes;
    }
    return all;
}

/* Are both the same loop of the source, of which an iteration of the loop around runs only one? */
static bool is_one_made_two(br_loop around, br_loop a, br_loop b) {
    LLVMBasicBlockRef x = br_loop_header(a), y = br_loop_header(b);
    uint64_t place = br_place_number(a);
    return place && place == br_place_number(b) && br_line_beside(a, around) > 0 &&
           !host_comes_before(around, x, y) && !host_comes_before(around, y, x);
}

/* A loop holds several. Of a loop around a condition, which the iterations of that loop do not
 * change, the compiler makes two. */
static bool refuse_several(host_steps *s, br_loop around) {
    br_loop inner[2];
    char detail[HOST_DETAIL];
    if (br_loop_children(around, inner, 2) != 2 || !is_one_made_two(around, inner[0], inner[1]))
        return refuse(s, "a loop in it holds several loops");
    snprintf(detail, sizeof detail,
             "a condition in the loop of line %u is the same for a whole row, so that the compiler "
             "makes two loops of it; assign in every iteration, and choose between values",
             br_line_beside(inner[0], around));
    return refuse(s, detail);
}

static bool add_innermost(host_steps *s, const way_in *way, bool first) {
    br_loop around = way->shared ? way->loop[way->shared - 1] : NULL;
    br_loop loops[ST_MAX_RANK];
    for (int i = 0; i < way->depth; i++)
        loops[i] = way->loop[way->depth - 1 - i];
    host_region *r = host_add_sweep(s, loops, way->depth);
    if (r && !add_stores(s, r))
        return around ? refuse_several(s, around) : false;
    if (r && way->shared) {
        r->own = way->depth - way->shared;
        r->together = !first;
        return walks_all_loops(s, r) || refuse_several(s, around);
    }
    return (r && host_divide_nest(s, r)) || refuse(s, "more than 64 sweeps");
}

/* Sorts the loops in a loop into the program's order. */
static bool sort_loops(br_loop l, br_loop *inner, size_t count) {
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0; k--) {
            br_loop a = inner[k - 1], b = inner[k];
            if (host_comes_before(l, br_loop_header(a), br_loop_header(b)))
                break;
            inner[k - 1] = b;
            inner[k] = a;
        }
    bool follow = true;
    for (size_t i = 1; i < count; i++)
        follow &= host_comes_before(l, br_loop_header(inner[i - 1]), br_loop_header(inner[i]));
    return follow;
}

static bool add_loops(host_steps *s, way_in way, br_loop l, int before) {
    br_loop inner[HOST_MAX_SWEEPS];
    size_t count = br_loop_children(l, inner, HOST_MAX_SWEEPS);
    if (way.depth == ST_MAX_RANK)
        return refuse(s, "a nest in it has more than three loops");
    way.loop[way.depth++] = l;
    if (count == 0)
        return add_innermost(s, &way, s->count == before);
    if (count > HOST_MAX_SWEEPS || (count > 1 && !sort_loops(l, inner, count)))
        return refuse_several(s, l);
    way.shared = count > 1 ? way.depth : way.shared;
    for (size_t i = 0; i < count; i++)
        if (!add_loops(s, way, inner[i], before))
            return false;
    return true;
}

bool host_add_nest(host_steps *s, br_loop l) {
    return add_loops(s, (way_in){.depth = 0}, l, s->count);
}
