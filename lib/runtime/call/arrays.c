/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * From addresses to arrays.
 *
 * Views whose memory meets are one array if one of them is written. Joining goes on through third
 * views. An array's rows and planes have the distances that its views have. A view whose cells are
 * all in one row has no distances of its own. The distance of two views is a number of cells, rows
 * and planes. It is unique once it is known where rows begin. With rows of L cells, rows can begin
 * at a place modulo L where no view goes on from one row into the next. Where rows begin, and
 * planes likewise, is tried at the first cells of all views.
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

/* The places of views in their array */

typedef struct place {
    int64_t at[3];
} place;

typedef struct group {
    rt_arrays *a;
    uint32_t array;
    int64_t stride[3];
    int64_t cells[2]; /* cells of a row, rows of a plane; 0: there is only one row or plane */
    bool written;
    uint32_t nviews;
} group;

/* The first view of the group from number `i` on. If there is none, the number of all views. */
static uint32_t next_view(const group *g, uint32_t i) {
    while (i < g->a->nviews && g->a->views[i].array != g->array)
        i++;
    return i;
}

static bool refuse(rt_error *why, const rt_view *v, const char *what) {
    return rt_fail(why, RT_MIXED, "grid %u of sweep %u: %s", v->grid, v->sweep, what);
}

/* Do the rows of an array's single view lie apart? */
static bool lies_apart(const rt_view *v) {
    rt_grid grid = {.elem_size = (size_t)v->stride[0]};
    memcpy(grid.host_stride, v->stride, sizeof grid.host_stride);
    return rt_rows_lie_apart(&grid, &v->box);
}

static bool find_strides(group *g, rt_error *why) {
    const rt_view *first = NULL;
    for (uint32_t i = next_view(g, 0); i < g->a->nviews; i = next_view(g, i + 1)) {
        const rt_view *v = &g->a->views[i];
        first = first ? first : v;
        g->nviews++;
        g->written |= v->written;
        for (int d = 0; d < 3; d++) {
            if (v->stride[d] == 0)
                continue;
            if (g->stride[d] != 0 && g->stride[d] != v->stride[d])
                return refuse(why, v, "other distances");
            g->stride[d] = v->stride[d];
        }
    }
    if (g->nviews == 1 && !g->written)
        return true; /* in this case rows may lie anyhow */
    int64_t rows = g->stride[1] ? g->stride[1] : g->stride[2];
    if (rows < 0 || g->stride[2] < 0 || rows % g->stride[0] != 0 ||
        (g->stride[2] && g->stride[2] % rows != 0))
        return (g->nviews == 1 && lies_apart(first)) ||
               rt_fail(why, RT_FOLDED, "grid %u of sweep %u", first->grid, first->sweep);
    g->cells[0] = rows / g->stride[0];
    g->cells[1] = g->stride[1] && g->stride[2] ? g->stride[2] / rows : 0;
    return true;
}

static int64_t floor_divide(wide a, int64_t b, int64_t *rest) {
    wide q = a / b, r = a % b;
    if (r < 0) {
        r += b;
        q--;
    }
    *rest = (int64_t)r;
    return (int64_t)q;
}

/* Lets rows (d = 0) or planes (1) begin `cut` cells from the first view's origin. Counts the views'
 * places accordingly, with carries into the next dimension. False if a view goes from one row into
 * the next. */
static bool cut_at(const group *g, int d, int64_t cut, const place *from, place *to) {
    int64_t length = g->cells[d];
    for (uint32_t i = next_view(g, 0); i < g->a->nviews; i = next_view(g, i + 1)) {
        const rt_view *v = &g->a->views[i];
        int64_t begin, carry;
        carry = floor_divide((wide)from[i].at[d] + v->box.lo[d] - cut, length, &begin);
        if (begin + (v->box.hi[d] - v->box.lo[d]) > length)
            return false;
        to[i] = from[i];
        to[i].at[d] = begin + cut - v->box.lo[d];
        to[i].at[d == 0 && g->cells[1] == 0 && g->stride[1] == 0 ? 2 : d + 1] += carry;
    }
    return true;
}

/* The width of all views together along a dimension. */
static int64_t width_of(const group *g, int d, const place *places) {
    int64_t lo = INT64_MAX, hi = INT64_MIN;
    for (uint32_t i = next_view(g, 0); i < g->a->nviews; i = next_view(g, i + 1)) {
        const rt_view *v = &g->a->views[i];
        int64_t first = places[i].at[d] + v->box.lo[d], last = places[i].at[d] + v->box.hi[d];
        lo = first < lo ? first : lo;
        hi = last > hi ? last : hi;
    }
    return hi - lo;
}

/* Of the places where rows, or planes, may begin, takes the one that puts the views closest
 * together. Then the last cells of a row are not taken for cells of the row before. Several places
 * may suit the rows, but only some of them may suit the planes. `room` has space for the views of
 * each dimension that is cut. */
static bool cut(const group *g, int d, place *places, place *room) {
    int64_t best = INT64_MAX, at = 0;
    if (d == 2)
        return true;
    if (g->cells[d] == 0)
        return cut(g, d + 1, places, room);
    for (uint32_t i = next_view(g, 0); i < g->a->nviews; i = next_view(g, i + 1)) {
        int64_t begin = places[i].at[d] + g->a->views[i].box.lo[d];
        int64_t width = cut_at(g, d, begin, places, room) ? width_of(g, d, room) : INT64_MAX;
        if (width >= best || !cut(g, d + 1, room, room + g->a->nviews))
            continue;
        best = width;
        at = begin;
    }
    if (best == INT64_MAX)
        return false;
    cut_at(g, d, at, places, room);
    cut(g, d + 1, room, room + g->a->nviews);
    for (uint32_t i = next_view(g, 0); i < g->a->nviews; i = next_view(g, i + 1))
        places[i] = room[i];
    return true;
}

/* Places from addresses. At first all are counted in cells along x. */
static bool find_places(group *g, place *places, place *room, rt_error *why) {
    const rt_view *first = NULL;
    for (uint32_t i = next_view(g, 0); i < g->a->nviews; i = next_view(g, i + 1)) {
        const rt_view *v = &g->a->views[i];
        first = first ? first : v;
        int64_t rest;
        wide bytes = (wide)(uintptr_t)v->origin - (wide)(uintptr_t)first->origin;
        places[i] = (place){{floor_divide(bytes, g->stride[0], &rest), 0, 0}};
        if (rest != 0)
            return refuse(why, v, "between the cells of another");
    }
    if (g->nviews == 1 && !g->written)
        return true;
    if (!cut(g, 0, places, room))
        return rt_fail(why, RT_FOLDED, "grid %u of sweep %u", first->grid, first->sweep);
    /* The first view's cell (0,0,0) becomes that of the array. */
    place zero = places[first - g->a->views];
    for (uint32_t i = 0; i < g->a->nviews; i++)
        for (int d = 0; d < 3; d++)
            places[i].at[d] -= zero.at[d];
    return true;
}

static bool elements_agree(const group *g, rt_error *why) {
    for (uint32_t i = 0; i < g->a->nviews; i++)
        if (g->a->views[i].array == g->array && g->a->views[i].stride[0] != g->stride[0])
            return refuse(why, &g->a->views[i], "elements of another size");
    return true;
}

/* Has the sweep one cell along x? An example are the components of a cell that lie side by side. */
static bool has_short_rows(const rt_arrays *a, const rt_view *v) {
    return !a->region->step && a->call->sweeps[v->sweep].extent[0] == 1;
}

static bool lay_out(group *g, const place *places, rt_error *why) {
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
static void take_apart(const group *g) {
    rt_arrays *a = g->a;
    uint32_t first = next_view(g, 0);
    for (uint32_t i = next_view(g, first + 1); i < a->nviews; i = next_view(g, i + 1))
        a->views[i].array = a->count++;
}

static bool place_array(group *g, place *places, place *room, rt_error *why) {
    return find_strides(g, why) && elements_agree(g, why) && find_places(g, places, room, why) &&
           lay_out(g, places, why);
}

/* Views that are only read need not be one array. Planes that follow one another in memory are such
 * views: with the neighbours at their ends, which conditions keep from being read, their rows do
 * not fit side by side. */
static bool place_views(rt_arrays *a, rt_error *why) {
    place *places = calloc(a->nviews, sizeof *places), *room = calloc(a->nviews, 2 * sizeof *room);
    bool good = places && room;
    if (!good)
        rt_fail(why, RT_HOST_MEMORY, "%s", "");
    for (uint32_t i = 0; i < a->count && good; i++) {
        group g = {.a = a, .array = i};
        good = place_array(&g, places, room, why);
        if (good || g.written || g.nviews < 2)
            continue;
        take_apart(&g);
        g = (group){.a = a, .array = i};
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
    if (to->array != from->array)
        return true;
    for (uint32_t i = 0; i < in->noffsets; i++) {
        const int32_t *offset = in->offsets + 3 * i;
        rt_box read = rt_view_box(a, from, offset);
        bool itself = in == out && !memcmp(offset, here, sizeof here);
        if (!itself && rt_box_meets(&written, &read))
            return false;
    }
    rt_box other = rt_view_box(a, from, here);
    return in == out || !(in->access & STENCILRT_WRITE) || !rt_box_meets(&written, &other);
}

/* May the sweep's iterations run in any order? No cell is written that another iteration accesses,
 * or the same iteration through another port. */
static bool sweep_is_parallel(const rt_arrays *a, uint32_t sweep, int64_t step, rt_error *why) {
    const stencilrt_region *r = &a->region->sweeps[sweep];
    for (uint32_t w = 0; w < r->nports; w++)
        for (uint32_t p = 0; p < r->nports && (r->ports[w].access & STENCILRT_WRITE); p++)
            if (!keep_apart(a, sweep, &r->ports[w], sweep, &r->ports[p], step))
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

static void add_results(rt_arrays *a, uint32_t sweep, int64_t step) {
    const stencilrt_region *r = &a->region->sweeps[sweep];
    for (uint32_t p = 0; p < r->nports; p++) {
        const rt_view *v = rt_port_view(a, sweep, &r->ports[p], step);
        rt_box box = rt_view_box(a, v, here);
        if (r->ports[p].access & STENCILRT_WRITE)
            rt_boxes_add(&a->results[v->array], &box, NULL);
    }
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
    for (uint32_t p = 0; p < r->nports && r->every; p++) {
        /* Cells that others read before they are written; then cells that are results. */
        const rt_view *v = rt_port_view(a, sweep, &r->ports[p], step);
        rt_box box = rt_view_box(a, v, here);
        if (r->ports[p].access & STENCILRT_WRITE)
            rt_boxes_add(&a->uploads[v->array], &box, &a->results[v->array]);
    }
    add_results(a, sweep, step);
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

/* Arrays were made for a whole period, so there is memory enough for fewer steps. */
void rt_arrays_stop(rt_arrays *a, int64_t steps) {
    if (steps >= period(a->region))
        return;
    for (uint32_t i = 0; i < a->count; i++)
        a->results[i].count = 0;
    for (int64_t t = 0; t < steps; t++)
        for (uint32_t s = 0; s < a->region->nsweeps; s++)
            add_results(a, s, t);
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
