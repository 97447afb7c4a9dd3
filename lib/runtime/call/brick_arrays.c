/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Lays out the arrays of a region whose only sweep has bricks, and several outputs or reductions.
 * Arrays that extend along all dimensions lie in bricks.
 */
#include "runtime/call/arrays.h"

enum { IN_ROWS, IN_BRICKS, NOT_USED, MIXED };

/* How the array lies, by all of its views. A view's cell (0,0,0) must be the first one of a brick.
 */
static int kind_of(const rt_arrays *a, uint32_t array) {
    const stencilrt_region *r = &a->region->sweeps[0];
    int kind = NOT_USED;
    for (uint32_t i = 0; i < a->nviews; i++) {
        const rt_view *v = &a->views[i];
        if (v->array != array)
            continue;
        int one = r->grids[v->grid].broadcast ? IN_ROWS : IN_BRICKS;
        for (uint32_t d = 0; d < 3 && one == IN_BRICKS; d++)
            one = v->at[d] % r->brick[d] == 0 ? one : MIXED;
        kind = kind == NOT_USED || kind == one ? one : MIXED;
    }
    return kind;
}

static void hull(rt_box *box, const rt_box *other) {
    for (int d = 0; d < 3; d++) {
        box->lo[d] = other->lo[d] < box->lo[d] ? other->lo[d] : box->lo[d];
        box->hi[d] = other->hi[d] > box->hi[d] ? other->hi[d] : box->hi[d];
    }
}

bool rt_arrays_lay_out_bricks(rt_arrays *a, rt_error *why) {
    const stencilrt_region *r = &a->region->sweeps[0];
    rt_box all = {{0, 0, 0}, {1, 1, 1}};
    bool ok = true;
    for (uint32_t i = 0; i < a->count && r->brick[0]; i++) {
        int kind = kind_of(a, i);
        if (kind == MIXED)
            return rt_fail(why, RT_BRICKS, "array %u", i);
        if (kind == IN_BRICKS)
            hull(&all, &a->shape.grids[i].box);
    }
    for (uint32_t i = 0; i < a->count && r->brick[0] && ok; i++) {
        if (kind_of(a, i) != IN_BRICKS)
            continue;
        a->shape.grids[i].box = all;
        ok = rt_grid_lay_out_bricks(&a->shape.grids[i], r->brick, why);
    }
    return ok;
}
