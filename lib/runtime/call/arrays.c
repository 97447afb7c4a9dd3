/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * From addresses to arrays.
 *
 * Views whose memory meets are one array if one of them is written. Joining goes on through third
 * views. An array's rows and planes have the distances that its views have. A view whose cells are
 * all in one row has no distances of its own. The distance of two views is a number of cells, rows
 * and planes. It is unique once it is known where rows begin. With rows of L cells, rows can begin
 * at a place modulo L where no view goes on from one row into the next. Where rows begin, and
 * planes likewise, is tried at the first cells of all views. Where rows lie in falling order, as
 * those of a picture from the bottom up, all this is done with rows counted the other way.
 *
 * Views with different distances can be arrays of their own, if they share no cell. An example are
 * columns that are read and their mirror image that is written. In an array with a single view,
 * rows need not begin anywhere: they may lie in falling order, or be columns.
 *
 * The device keeps an array with its own distances. Each sweep's kernel addresses the array from
 * the sweep's own cell (0,0,0). This is right if
 *   1. no two cells of an array are the same bytes, which holds if its rows begin somewhere;
 *   2. a sweep's cells can be computed in any order: see `sweep_is_parallel`.
 */
#include "runtime/call/arrays.h"

#include "runtime/call/places.h"
#include "runtime/call/whole.h"
#include <stdlib.h>
#include <string.h>

typedef __int128 wide;

static void hull(rt_box *box, const rt_box *other, bool empty) {
    for (int d = 0; d < 3; d++) {
        box->lo[d] = empty || other->lo[d] < box->lo[d] ? other->lo[d] : box->lo[d];
        box->hi[d] = empty || other->hi[d] > box->hi[d] ? other->hi[d] : box->hi[d];
    }
}

static void add_port(const rt_arrays *a, rt_view *v, const stencilrt_port *port) {
    static const int32_t here[3];
    bool writes = port->access & STENCILRT_WRITE;
    for (uint32_t i = 0; i < port->noffsets + writes; i++) {
        rt_box box = rt_view_cells(a, v, i < port->noffsets ? port->offsets + 3 * i : here);
        hull(&v->box, &box, !v->read && !v->written && i == 0);
    }
    v->read |= (port->access & STENCILRT_READ) != 0;
    v->written |= writes;
    v->masked |= (port->access & STENCILRT_MAYBE) != 0;
}

static bool find_bytes(const rt_arrays *a, rt_view *v, rt_error *why) {
    const stencilrt_region *r = &a->region->sweeps[v->sweep];
    const int64_t *strides = a->call->sweeps[v->sweep].strides + 3 * v->grid;
    int64_t size = r->grids[v->grid].elem_size;
    wide first = (wide)(uintptr_t)v->origin, last;
    for (int d = 0; d < 3; d++) {
        bool used = v->box.lo[d] != 0 || v->box.hi[d] != 1;
        v->stride[d] = d == 0 ? size : used ? strides[d] : 0;
    }
    last = first;
    for (int d = 0; d < 3; d++) {
        wide x = (wide)v->stride[d] * v->box.lo[d], y = (wide)v->stride[d] * (v->box.hi[d] - 1);
        first += x < y ? x : y;
        last += x < y ? y : x;
    }
    last += size;
    if (first <= 0 || last > (wide)UINTPTR_MAX || !v->origin)
        return rt_fail(why, RT_TOO_LARGE, "grid %u of sweep %u leaves the address space", v->grid,
                       v->sweep);
    v->lo = (uintptr_t)first;
    v->hi = (uintptr_t)last;
    return true;
}

static bool make_view(const rt_arrays *a, rt_view *v, uint32_t number, rt_error *why) {
    const stencilrt_region *r = &a->region->sweeps[v->sweep];
    const stencilrt_grid *grid = &r->grids[v->grid];
    int64_t ignored;
    v->origin = a->call->sweeps[v->sweep].origins[grid->first_buffer + number];
    for (uint32_t p = 0; p < r->nports; p++)
        if (r->ports[p].grid == v->grid &&
            rt_port_touches(r, &r->ports[p], number, a->call->steps, &ignored))
            add_port(a, v, &r->ports[p]);
    return (!v->read && !v->written) || find_bytes(a, v, why);
}

static bool make_views(rt_arrays *a, rt_error *why) {
    uint32_t n = 0;
    for (uint32_t s = 0; s < a->region->nsweeps; s++) {
        const stencilrt_region *r = &a->region->sweeps[s];
        a->first_view[s] = n;
        for (uint32_t g = 0; g < r->ngrids; g++)
            for (uint32_t i = 0; i < r->grids[g].buffers; i++) {
                rt_view *v = &a->views[n++];
                v->sweep = s;
                v->grid = g;
                if (!make_view(a, v, i, why))
                    return false;
            }
    }
    return true;
}

/* Has the sweep one cell along x? An example are the components of a cell that lie side by side. */
static bool has_short_rows(const rt_arrays *a, const rt_view *v) {
    return !a->region->step && a->call->sweeps[v->sweep].extent[0] == 1;
}

static bool lay_out(rt_group *g, const rt_place *places, rt_error *why) {
    rt_grid *grid = &g->a->shape.grids[g->array];
    rt_buffer *buffer = &g->a->shape.buffers[g->array];
    *grid = (rt_grid){.elem_size = (size_t)g->stride[0], .extent = {1, 1, 1}, .packed = true};
    *buffer = (rt_buffer){.grid = g->array, .written = g->written};
    memcpy(grid->host_stride, g->stride, sizeof grid->host_stride);
    grid->box = (rt_box){{0, 0, 0}, {1, 1, 1}};
    for (uint32_t i = 0; i < g->a->nviews; i++) {
        rt_view *v = &g->a->views[i];
        if (v->array != g->array)
            continue;
        memcpy(v->at, places[i].at, sizeof v->at);
        buffer->masked |= v->masked;
        grid->packed = grid->packed && has_short_rows(g->a, v);
        rt_box box = v->box;
        for (int d = 0; d < 3; d++) {
            box.lo[d] += v->at[d];
            box.hi[d] += v->at[d];
        }
        hull(&grid->box, &box, false);
        if (!buffer->origin)
            buffer->origin = v->origin - (v->at[0] * g->stride[0] + v->at[1] * g->stride[1] +
                                          v->at[2] * g->stride[2]);
    }
    return rt_grid_lay_out(grid, 0, why);
}

/* Makes each view of the group an array of its own. */
static void take_apart(const rt_group *g) {
    rt_arrays *a = g->a;
    uint32_t first = rt_next_view(g, 0);
    for (uint32_t i = rt_next_view(g, first + 1); i < a->nviews; i = rt_next_view(g, i + 1))
        a->views[i].array = a->count++;
}

static bool place_array(rt_group *g, rt_place *places, rt_place *room, rt_error *why) {
    return rt_find_places(g, places, room, why) && lay_out(g, places, why);
}

/* Views that are only read need not be one array. Planes that follow one another in memory are such
 * views: with the neighbours at their ends, which conditions keep from being read, their rows do
 * not fit side by side. */
static bool place_views(rt_arrays *a, rt_error *why) {
    rt_place *places = calloc(a->nviews, sizeof *places),
             *room = calloc(a->nviews, 2 * sizeof *room);
    bool good = places && room;
    if (!good)
        rt_fail(why, RT_HOST_MEMORY, "%s", "");
    for (uint32_t i = 0; i < a->count && good; i++) {
        rt_group g = {.a = a, .array = i};
        good = place_array(&g, places, room, why);
        if (good || g.written || g.nviews < 2)
            continue;
        take_apart(&g);
        g = (rt_group){.a = a, .array = i};
        good = place_array(&g, places, room, why);
    }
    free(places);
    free(room);
    return good;
}

/* Threads that compute several cells load and store them as vectors, in all arrays. So the cells
 * that a sweep accesses at a time get the same alignment in all arrays, unless an earlier sweep has
 * aligned an array otherwise. */
static bool align_sweep(rt_arrays *a, uint32_t sweep, bool *aligned, rt_error *why) {
    const stencilrt_region *r = &a->region->sweeps[sweep];
    const rt_view *views = a->views + a->first_view[sweep], *first = NULL;
    bool good = true;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < r->nbuffers && good; i++) {
            const rt_view *v = &views[i];
            bool extends = v->array != UINT32_MAX && !(r->grids[v->grid].broadcast & 1);
            if (!extends || aligned[v->array] != (pass == 0))
                continue;
            rt_grid *grid = &a->shape.grids[v->array];
            first = first ? first : v;
            if (pass == 0)
                continue;
            grid->aligned =
                v->at[0] + a->shape.grids[first->array].aligned - (first != v ? first->at[0] : 0);
            aligned[v->array] = true;
            good = rt_grid_lay_out(grid, 0, why);
        }
    return good;
}

static bool align_rows(rt_arrays *a, rt_error *why) {
    bool *aligned = calloc(a->count + 1, sizeof *aligned);
    bool good = aligned != NULL || rt_fail(why, RT_HOST_MEMORY, "%s", "");
    for (uint32_t i = 0; i < a->region->nsweeps && good; i++)
        if (a->region->kernels[i].tile[0] > 0)
            good = align_sweep(a, i, aligned, why);
    free(aligned);
    return good;
}

const rt_view *rt_view_before(const rt_arrays *a, uint32_t number) {
    const rt_view *y = &a->views[number], *x = y;
    if (y->array == UINT32_MAX)
        return NULL;
    do
        x = x > a->views && x[-1].sweep == y->sweep && x[-1].grid == y->grid ? x - 1 : NULL;
    while (x && x->array == UINT32_MAX);
    return x;
}

/* A grid's kernel knows one layout. So the buffers through which the grid rotates get one layout.
 */
static bool agree_on_layouts(rt_arrays *a, rt_error *why) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < a->nviews; i++) {
            const rt_view *x = rt_view_before(a, i), *y = &a->views[i];
            if (!x)
                continue;
            rt_grid *one = &a->shape.grids[x->array], *two = &a->shape.grids[y->array];
            if (one->pitch == two->pitch && one->plane == two->plane)
                continue;
            rt_box box = one->box;
            hull(&box, &two->box, false);
            one->box = two->box = box;
            one->aligned = two->aligned = 0;
            one->packed = two->packed = one->packed && two->packed;
            if (!rt_grid_lay_out(one, 0, why) || !rt_grid_lay_out(two, 0, why))
                return false;
            changed = true;
        }
    }
    return true;
}

/* What a step reads and writes */

static const int32_t here[3];

/* Does no cell written through `out` coincide with a cell accessed through `in` by another
 * iteration? A cell may read itself through the port that writes it. */
static bool keep_apart(const rt_arrays *a, uint32_t sweep, const stencilrt_port *out,
                       uint32_t other_sweep, const stencilrt_port *in, int64_t step) {
    const rt_view *to = rt_port_view(a, sweep, out, step);
    const rt_view *from = rt_port_view(a, other_sweep, in, step);
    rt_box written = rt_view_box(a, to, here);
    bool same = sweep == other_sweep && in == out;
    if (to->array != from->array)
        return true;
    for (uint32_t i = 0; i < in->noffsets; i++) {
        const int32_t *offset = in->offsets + 3 * i;
        rt_box read = rt_view_box(a, from, offset);
        bool itself = same && !memcmp(offset, here, sizeof here);
        if (!itself && rt_box_meets(&written, &read))
            return false;
    }
    rt_box other = rt_view_box(a, from, here);
    return same || !(in->access & STENCILRT_WRITE) || !rt_box_meets(&written, &other);
}

/* Does `in` have the cells that `out` writes, as they were before the sweep? */
static bool is_before(const rt_arrays *a, uint32_t sweep, const stencilrt_port *out,
                      const stencilrt_port *in, int64_t step) {
    const rt_view *to = rt_port_view(a, sweep, out, step);
    const rt_view *from = rt_port_view(a, sweep, in, step);
    return rt_grid_is_before(&a->region->sweeps[sweep], in->grid) && to->array == from->array &&
           !memcmp(to->at, from->at, sizeof to->at);
}

/* May the sweep's iterations run in any order? No cell is written that another iteration accesses,
 * or the same iteration through another port. */
static bool sweep_is_parallel(const rt_arrays *a, uint32_t sweep, int64_t step, rt_error *why) {
    const stencilrt_region *r = &a->region->sweeps[sweep];
    for (uint32_t w = 0; w < r->nports; w++)
        for (uint32_t p = 0; p < r->nports && (r->ports[w].access & STENCILRT_WRITE); p++)
            if (!is_before(a, sweep, &r->ports[w], &r->ports[p], step) &&
                !keep_apart(a, sweep, &r->ports[w], sweep, &r->ports[p], step))
                return rt_fail(why, RT_IN_PLACE, "grids %u and %u of sweep %u", r->ports[w].grid,
                               r->ports[p].grid, sweep);
    return true;
}

/* Of two sweeps that the program makes in one loop: does the first write no cell that the second
 * accesses? */
static bool keeps_off(const rt_arrays *a, uint32_t first, uint32_t second, int64_t step) {
    const stencilrt_region *x = &a->region->sweeps[first], *y = &a->region->sweeps[second];
    bool apart = true;
    for (uint32_t w = 0; w < x->nports; w++)
        for (uint32_t p = 0; p < y->nports && apart && (x->ports[w].access & STENCILRT_WRITE); p++)
            apart = keep_apart(a, first, &x->ports[w], second, &y->ports[p], step);
    return apart;
}

static bool sweeps_are_apart(const rt_arrays *a, uint32_t sweep, int64_t step, rt_error *why) {
    for (uint32_t k = sweep; k > 0 && a->region->sweeps[k].flags & STENCILRT_TOGETHER; k--)
        if (!keeps_off(a, k - 1, sweep, step) || !keeps_off(a, sweep, k - 1, step))
            return rt_fail(why, RT_IN_PLACE, "sweeps %u and %u, of one loop", k - 1, sweep);
    return true;
}

/* What the sweep writes in the step; of a trace the elements of all of so many steps. */
static void add_results(rt_arrays *a, uint32_t sweep, int64_t step, int64_t made) {
    const stencilrt_region *r = &a->region->sweeps[sweep];
    for (uint32_t p = 0; p < r->nports; p++) {
        const rt_view *v = rt_port_view(a, sweep, &r->ports[p], step);
        uint32_t along = rt_view_along(a, v);
        rt_box box = rt_view_box(a, v, here);
        if (along > 0)
            box.hi[along - 1] -= a->call->steps - made;
        if (r->ports[p].access & STENCILRT_WRITE)
            rt_boxes_add(&a->results[v->array], &box, NULL);
    }
}

/* Does another view read the array? */
static bool is_read_beside(const rt_arrays *a, const rt_view *v) {
    bool read = false;
    for (uint32_t i = 0; i < a->nviews && !read; i++)
        read = &a->views[i] != v && a->views[i].array == v->array && a->views[i].read;
    return read;
}

/* May others read cells that the sweep writes before it has written them? Not every step writes
 * them; a trace's are one of each step. */
static bool writes_later(const rt_arrays *a, const rt_view *v) {
    const stencilrt_region *r = &a->region->sweeps[v->sweep];
    return r->every || (rt_view_along(a, v) > 0 && is_read_beside(a, v));
}

/* Adds cells to the uploads: those that the sweep reads and no earlier sweep wrote. Adds the cells
 * that the sweep writes to the results. */
static void add_cells(rt_arrays *a, uint32_t sweep, int64_t step) {
    const stencilrt_region *r = &a->region->sweeps[sweep];
    for (uint32_t p = 0; p < r->nports; p++) {
        const rt_view *v = rt_port_view(a, sweep, &r->ports[p], step);
        for (uint32_t i = 0; i < r->ports[p].noffsets; i++) {
            rt_box box = rt_view_box(a, v, r->ports[p].offsets + 3 * i);
            rt_boxes_add(&a->uploads[v->array], &box, &a->results[v->array]);
        }
    }
    for (uint32_t p = 0; p < r->nports; p++) {
        const rt_view *v = rt_port_view(a, sweep, &r->ports[p], step);
        rt_box box = rt_view_box(a, v, here);
        if (r->ports[p].access & STENCILRT_WRITE && writes_later(a, v))
            rt_boxes_add(&a->uploads[v->array], &box, &a->results[v->array]);
    }
    add_results(a, sweep, step, a->call->steps);
}

/* The number of steps after which all buffers of all grids are back in their places. */
static int64_t period(const stencilrt_region *region) {
    int64_t steps = 1;
    for (uint32_t s = 0; s < region->nsweeps; s++)
        for (uint32_t g = 0; g < region->sweeps[s].ngrids; g++) {
            int64_t buffers = region->sweeps[s].grids[g].buffers, least = steps;
            while (least % buffers != 0 && least < RT_MAX_PERIOD)
                least += steps;
            steps = least;
        }
    return steps;
}

static bool follow_steps(rt_arrays *a, rt_error *why) {
    int64_t steps = period(a->region);
    if (steps >= RT_MAX_PERIOD)
        return rt_fail(why, RT_MIXED, "buffers rotate with a long period");
    for (int64_t t = 0; t < steps && t < a->call->steps; t++)
        for (uint32_t s = 0; s < a->region->nsweeps; s++) {
            if (!sweep_is_parallel(a, s, t, why) || !sweeps_are_apart(a, s, t, why))
                return false;
            add_cells(a, s, t);
        }
    for (uint32_t i = 0; i < a->count; i++)
        if (a->uploads[i].failed || a->results[i].failed)
            return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    return true;
}

static bool has_traces(const rt_arrays *a) {
    bool has = false;
    for (uint32_t i = 0; i < a->count && !has; i++)
        has = rt_array_has_trace(a, i);
    return has;
}

bool rt_arrays_stop(rt_arrays *a, int64_t steps, rt_error *why) {
    int64_t turn = period(a->region);
    bool good = true;
    if (steps >= turn && (steps == a->call->steps || !has_traces(a)))
        return true;
    for (uint32_t i = 0; i < a->count; i++)
        a->results[i].count = 0;
    for (int64_t t = 0; t < turn && t < steps; t++)
        for (uint32_t s = 0; s < a->region->nsweeps; s++)
            add_results(a, s, t, steps);
    for (uint32_t i = 0; i < a->count && good; i++)
        good = !a->results[i].failed || rt_fail(why, RT_HOST_MEMORY, "%s", "");
    return good;
}

static bool reserve(rt_arrays *a, rt_error *why) {
    const stencilrt_region *region = a->region;
    for (uint32_t s = 0; s < region->nsweeps; s++)
        a->nviews += region->sweeps[s].nbuffers;
    a->views = calloc(a->nviews, sizeof *a->views);
    a->first_view = calloc(region->nsweeps, sizeof *a->first_view);
    a->shape.grids = calloc(a->nviews, sizeof *a->shape.grids);
    a->shape.buffers = calloc(a->nviews, sizeof *a->shape.buffers);
    a->uploads = calloc(a->nviews, sizeof *a->uploads);
    a->results = calloc(a->nviews, sizeof *a->results);
    return (a->views && a->first_view && a->shape.grids && a->shape.buffers && a->uploads &&
            a->results) ||
           rt_fail(why, RT_HOST_MEMORY, "%s", "");
}

bool rt_arrays_make(rt_arrays *a, const stencilrt_region *region, const stencilrt_call *call,
                    int64_t max_bt, rt_error *why) {
    *a = (rt_arrays){.region = region, .call = call, .shape = {.call = call}};
    if (!reserve(a, why) || !make_views(a, why))
        return false;
    rt_arrays_join(a);
    if (!place_views(a, why) || !align_rows(a, why) || !rt_whole_make(a, max_bt, why) ||
        !agree_on_layouts(a, why) || !rt_arrays_lay_out_bricks(a, why) || !follow_steps(a, why) ||
        !rt_whole_keep_layouts(a, why))
        return false;
    rt_whole_check_order(a);
    return true;
}

bool rt_arrays_unpad(rt_arrays *a, rt_error *why) {
    bool ok = true;
    for (uint32_t i = 0; i < a->count && ok && a->whole.padded; i++) {
        a->shape.grids[i].box = a->whole.bare[i];
        ok = rt_grid_lay_out(&a->shape.grids[i], 0, why);
    }
    ok = ok && (!a->whole.padded || agree_on_layouts(a, why));
    a->whole.can = a->whole.padded = false;
    return ok;
}

void rt_arrays_free(rt_arrays *a) {
    for (uint32_t i = 0; i < a->nviews && a->uploads && a->results; i++) {
        free(a->uploads[i].at);
        free(a->results[i].at);
    }
    free(a->views);
    free(a->first_view);
    free(a->shape.grids);
    free(a->shape.buffers);
    free(a->uploads);
    free(a->results);
    rt_whole_free(&a->whole);
}

double rt_arrays_bytes(const rt_arrays *a, uint32_t array, const rt_boxes *set) {
    double cells = 0;
    for (size_t i = 0; i < set->count; i++)
        cells += (double)(set->at[i].hi[0] - set->at[i].lo[0]) *
                 (double)(set->at[i].hi[1] - set->at[i].lo[1]) *
                 (double)(set->at[i].hi[2] - set->at[i].lo[2]);
    return cells * (double)a->shape.grids[array].elem_size;
}
