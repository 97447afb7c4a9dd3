/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which cells of an array a sweep accesses, in the sweep's coordinates and in the array's.
 */
#include "runtime/call/arrays.h"

rt_view *rt_port_view(const rt_arrays *a, uint32_t sweep, const stencilrt_port *port,
                      int64_t step) {
    const stencilrt_region *r = &a->region->sweeps[sweep];
    uint32_t buffer = r->grids[port->grid].first_buffer + rt_port_buffer(r, port, step);
    return &a->views[a->first_view[sweep] + buffer];
}

uint32_t rt_view_along(const rt_arrays *a, const rt_view *v) {
    return a->region->sweeps[v->sweep].grids[v->grid].along;
}

bool rt_array_has_trace(const rt_arrays *a, uint32_t array) {
    bool has = false;
    for (uint32_t i = 0; i < a->nviews && !has; i++)
        has = a->views[i].array == array && rt_view_along(a, &a->views[i]) > 0;
    return has;
}

static int64_t extent_of(const rt_arrays *a, const rt_view *v, int d) {
    const stencilrt_region *r = &a->region->sweeps[v->sweep];
    bool extends = (uint32_t)d < r->rank && !(r->grids[v->grid].broadcast >> d & 1);
    return extends ? a->call->sweeps[v->sweep].extent[d] : 1;
}

/* The cells of the sweep's domain in all steps, shifted by an offset. */
rt_box rt_view_cells(const rt_arrays *a, const rt_view *v, const int32_t *offset) {
    int64_t moved = a->region->sweeps[v->sweep].grids[v->grid].advance * (a->call->steps - 1);
    rt_box box;
    for (int d = 0; d < 3; d++) {
        box.lo[d] = offset[d];
        box.hi[d] = offset[d] + extent_of(a, v, d);
    }
    uint32_t along = rt_view_along(a, v);
    if (along > 0)
        box.hi[along - 1] += a->call->steps - 1;
    box.lo[0] += moved < 0 ? moved : 0;
    box.hi[0] += moved > 0 ? moved : 0;
    return box;
}

rt_box rt_view_box(const rt_arrays *a, const rt_view *v, const int32_t *offset) {
    rt_box box = rt_view_cells(a, v, offset);
    for (int d = 0; d < 3; d++) {
        box.lo[d] += v->at[d];
        box.hi[d] += v->at[d];
    }
    return box;
}
