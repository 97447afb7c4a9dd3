/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which views form one array: see arrays.c.
 */
#include "runtime/call/arrays.h"

#include "runtime/call/extent.h"

#include <stdlib.h>

static void join_views(rt_arrays *a, uint32_t i, uint32_t j) {
    uint32_t from = a->views[j].array, to = a->views[i].array;
    for (uint32_t k = 0; k < a->nviews && from != to; k++)
        if (a->views[k].array == from)
            a->views[k].array = to;
}

/* Are both views the same cells, only read? Such cells need to be on the device once. */
static bool are_alike(const rt_view *x, const rt_view *y) {
    bool alike = true;
    for (int d = 0; d < 3; d++)
        alike = alike && (x->stride[d] == y->stride[d] || !x->stride[d] || !y->stride[d]);
    return alike;
}

/* The view's cells in memory. Of dimensions 1 and 2, the one with the smaller distance comes first.
 */
static rt_extent extent_of(const rt_view *v) {
    rt_extent e = {.lo = v->lo, .hi = v->hi, .elem_size = (size_t)v->stride[0]};
    bool swap = v->stride[2] && llabs(v->stride[1]) > llabs(v->stride[2]);
    for (int d = 0; d < 3; d++) {
        int from = swap && d > 0 ? 3 - d : d;
        e.stride[d] = llabs(v->stride[from]);
        e.cells[d] = v->box.hi[from] - v->box.lo[from];
    }
    return e;
}

/* May two views with different distances be two arrays? Only if they share no cell. */
static bool stay_apart(const rt_view *x, const rt_view *y) {
    rt_extent a = extent_of(x), b = extent_of(y);
    return !are_alike(x, y) && rt_extents_lie_apart(&a, &b);
}

void rt_arrays_join(rt_arrays *a) {
    for (uint32_t i = 0; i < a->nviews; i++)
        a->views[i].array = a->views[i].read || a->views[i].written ? a->nviews + i : UINT32_MAX;
    for (uint32_t i = 0; i < a->nviews; i++)
        for (uint32_t j = 0; j < i; j++) {
            const rt_view *x = &a->views[i], *y = &a->views[j];
            bool both = x->array != UINT32_MAX && y->array != UINT32_MAX;
            bool joined = x->written || y->written || are_alike(x, y);
            if (both && joined && x->lo < y->hi && y->lo < x->hi && !stay_apart(x, y))
                join_views(a, i, j);
        }
    for (uint32_t i = 0; i < a->nviews; i++) {
        uint32_t old = a->views[i].array;
        if (old == UINT32_MAX || old < a->nviews)
            continue;
        for (uint32_t k = i; k < a->nviews; k++)
            if (a->views[k].array == old)
                a->views[k].array = a->count;
        a->count++;
    }
}
