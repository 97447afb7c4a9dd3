/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Two sweeps in one time loop, B = f(A) and then A = f(B): two time steps of one grid, A and B
 * being its buffers 0 and 1. The first sweep is looked at as step 0 and the second as step 1 of
 * that grid, each from the addresses that it has; they are one statement if both Stencils come out
 * equal.
 */
#include "detect/common/flow.h"
#include "detect/common/limits.h"
#include "detect/host/access.h"
#include "detect/host/nest.h"
#include "detect/host/region.h"
#include "detect/host/statement.h"
#include "detect/host/steps/forms.h"

#include <stdlib.h>
#include <string.h>

static bool refuse(host_region *r, const char *what) {
    return host_refuse(r, ST_NO_TWO_SWEEPS, what);
}

static bool refuse_as(host_region *r, const host_region *second) {
    return host_refuse(r, second->why.reason, second->why.detail);
}

/* Finding the other sweep */

host_region *host_twin(host_region *r, int spatial) {
    br_loop children[2], chain[ST_MAX_RANK];
    int depth = 0, stores;
    if (br_loop_children(r->loops[spatial], children, 2) != 2)
        return NULL;
    br_loop l = children[children[0] == r->loops[spatial - 1]];
    size_t inner = 1;
    while (depth < spatial && inner == 1) {
        chain[depth++] = l;
        inner = br_loop_children(l, &l, 1);
    }
    if (depth != spatial || inner != 0)
        return NULL;
    LLVMValueRef store = host_only_store(chain[depth - 1], &stores);
    if (!store)
        return NULL;
    host_region *twin = host_region_create(r->f, r->function);
    twin->store = store;
    for (int i = 0; i < depth; i++)
        twin->loops[i] = chain[depth - 1 - i];
    twin->loops[depth] = r->loops[depth];
    return twin;
}

void host_exchange(host_region *a, host_region *b) {
    LLVMValueRef store = a->store;
    br_loop loops[HOST_MAX_LOOPS];
    a->store = b->store;
    b->store = store;
    memcpy(loops, a->loops, sizeof loops);
    memcpy(a->loops, b->loops, sizeof loops);
    memcpy(b->loops, loops, sizeof loops);
}

static bool is_first(const host_region *r, const host_region *other) {
    br_loop time = r->loops[0];
    while (!br_loop_contains(time, br_loop_header(other->loops[0])))
        time = br_loop_parent(time);
    return host_comes_before(time, br_loop_header(r->loops[0]), br_loop_header(other->loops[0]));
}

/* Looking at both. The second goes on where the first ended, so that what both require is there
 * once. */

void host_copy_requirements(host_region *to, const host_region *from) {
    memcpy(to->guards, from->guards, sizeof to->guards);
    to->nguards = from->nguards;
    to->ranges = realloc(to->ranges, ((size_t)from->nranges + 1) * sizeof *to->ranges);
    if (from->nranges > 0)
        memcpy(to->ranges, from->ranges, (size_t)from->nranges * sizeof *to->ranges);
    to->nranges = from->nranges;
    to->ends = to->ends > from->ends ? to->ends : from->ends;
}

static bool check_loops(host_region *first, host_region *second) {
    if (!host_check_loops(first))
        return false;
    host_copy_requirements(second, first);
    if (!host_check_loops(second))
        return refuse_as(first, second);
    host_copy_requirements(first, second);
    for (int i = 0; i < first->stencil->rank; i++)
        if (first->count[i] != second->count[i])
            return refuse(first, "their domains differ, or their loops are in another order");
    return true;
}

static bool build(host_region *first, host_region *second, bool device_math) {
    if (!host_build_expression(first, device_math))
        return false;
    st_stencil *s = second->stencil;
    for (size_t g = 0; g < first->stencil->ngrids; g++)
        st_add_grid(s, first->stencil->grids[g]);
    s->store_grid = first->stencil->store_grid;
    s->store_level = first->stencil->store_level;
    second->grids = malloc(s->ngrids * sizeof *second->grids);
    memcpy(second->grids, first->grids, s->ngrids * sizeof *second->grids);
    host_copy_requirements(second, first);
    if (!host_build_expression(second, device_math))
        return refuse_as(first, second);
    host_copy_requirements(first, second);
    return true;
}

/* Comparing them */

static bool reads_other_buffer(const st_stencil *s) {
    bool reads = false;
    for (size_t i = 0; i < s->naccesses; i++)
        reads |= s->accesses[i].grid == s->store_grid && s->accesses[i].level == 0;
    return reads;
}

static bool same_cells(const st_stencil *a, const st_stencil *b) {
    bool same = a->ngrids == b->ngrids && a->naccesses == b->naccesses;
    for (size_t i = 0; i < a->naccesses && same; i++) {
        const st_access *x = &a->accesses[i];
        bool found = false;
        for (size_t k = 0; k < b->naccesses && !found; k++) {
            const st_access *y = &b->accesses[k];
            found = x->grid == y->grid && x->level == y->level &&
                    !memcmp(x->offset, y->offset, sizeof x->offset);
        }
        same = found;
    }
    return same;
}

static bool check_equal(host_region *first, const host_region *second) {
    const st_stencil *a = first->stencil, *b = second->stencil;
    if (st_equal(a, b))
        return true;
    if (!reads_other_buffer(a))
        return refuse(first, "the second does not write the array that the first reads");
    if (!reads_other_buffer(b))
        return refuse(first, "the second does not read the array that the first writes");
    return refuse(first, same_cells(a, b) ? "they compute different values"
                                          : "they read different cells or arrays");
}

/* A value that grows with the time loop: step s has it if the second sweep is half way between. */
static bool join_scalar(host_scalar *a, const host_scalar *b) {
    if (a->value || b->value)
        return a->value == b->value;
    poly half = poly_sub(b->start, a->start), whole = poly_scale(half, 2);
    if (!poly_equal(a->step, whole) || !poly_equal(b->step, whole))
        return false;
    bool constant = poly_is_zero(a->step);
    a->step = half;
    return !constant || poly_is_zero(half);
}

static bool join_scalars(host_region *first, const host_region *second) {
    for (size_t i = 0; i < first->stencil->nscalars; i++)
        if (!join_scalar(&first->scalars[i], &second->scalars[i]))
            return refuse(first, first->stencil->scalars[i].stepped
                                     ? "a value changes with the time loop, but not evenly with "
                                       "its sweeps"
                                     : "a number differs");
    return true;
}

static bool check_both(host_region *first, host_region *second, bool device_math) {
    return check_loops(first, second) && host_store_grid_of_two(first, second) &&
           build(first, second, device_math) && check_equal(first, second) &&
           join_scalars(first, second) && host_check_effects(first) &&
           (host_check_effects(second) || refuse_as(first, second));
}

st_refusal host_build_pair(host_region *r, host_region *twin, int spatial, bool device_math) {
    bool behind = !is_first(r, twin);
    if (behind)
        host_exchange(r, twin);
    r->twin = twin;
    twin->twin = r;
    r->nests = twin->nests = 2;
    host_begin(r, spatial, true);
    host_begin(twin, spatial, true);
    twin->phase = 1;
    bool good = is_first(r, twin) ? check_both(r, twin, device_math)
                                  : refuse(r, "they do not follow one another");
    r->twin = NULL;
    if (behind && !good)
        host_exchange(r, twin);
    return host_outcome(r, good);
}
