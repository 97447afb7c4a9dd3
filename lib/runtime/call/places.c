/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The places of views in their array, and where its rows and planes begin: see arrays.c.
 */
#include "runtime/call/places.h"

#include "runtime/call/shape.h"
#include <string.h>

typedef __int128 wide;

uint32_t rt_next_view(const rt_group *g, uint32_t i) {
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

static void count_views(rt_group *g) {
    for (uint32_t i = rt_next_view(g, 0); i < g->a->nviews; i = rt_next_view(g, i + 1)) {
        g->nviews++;
        g->written |= g->a->views[i].written;
    }
}

static bool find_strides(rt_group *g, rt_error *why) {
    for (uint32_t i = rt_next_view(g, 0); i < g->a->nviews; i = rt_next_view(g, i + 1)) {
        const rt_view *v = &g->a->views[i];
        for (int d = 0; d < 3; d++) {
            if (v->stride[d] == 0)
                continue;
            if (g->stride[d] != 0 && g->stride[d] != v->stride[d])
                return refuse(why, v, "other distances");
            g->stride[d] = v->stride[d];
        }
    }
    for (int d = 1; d < 3 && g->nviews > 1; d++)
        g->falling |= (uint32_t)(g->stride[d] < 0) << d;
    return true;
}

/* Counts rows and planes that lie in falling order the other way; done once more, as before. */
static void turn_round(rt_group *g, rt_place *places) {
    for (int d = 1; d < 3; d++) {
        if (!(g->falling >> d & 1))
            continue;
        g->stride[d] = -g->stride[d];
        for (uint32_t i = rt_next_view(g, 0); i < g->a->nviews; i = rt_next_view(g, i + 1)) {
            rt_box *box = &g->a->views[i].box;
            int64_t lo = box->lo[d];
            box->lo[d] = 1 - box->hi[d];
            box->hi[d] = 1 - lo;
            places[i].at[d] = -places[i].at[d];
        }
    }
}

static bool find_lengths(rt_group *g, rt_error *why) {
    const rt_view *first = &g->a->views[rt_next_view(g, 0)];
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
static bool cut_at(const rt_group *g, int d, int64_t cut, const rt_place *from, rt_place *to) {
    int64_t length = g->cells[d];
    for (uint32_t i = rt_next_view(g, 0); i < g->a->nviews; i = rt_next_view(g, i + 1)) {
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
static int64_t width_of(const rt_group *g, int d, const rt_place *places) {
    int64_t lo = INT64_MAX, hi = INT64_MIN;
    for (uint32_t i = rt_next_view(g, 0); i < g->a->nviews; i = rt_next_view(g, i + 1)) {
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
static bool cut(const rt_group *g, int d, rt_place *places, rt_place *room) {
    int64_t best = INT64_MAX, at = 0;
    if (d == 2)
        return true;
    if (g->cells[d] == 0)
        return cut(g, d + 1, places, room);
    for (uint32_t i = rt_next_view(g, 0); i < g->a->nviews; i = rt_next_view(g, i + 1)) {
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
    for (uint32_t i = rt_next_view(g, 0); i < g->a->nviews; i = rt_next_view(g, i + 1))
        places[i] = room[i];
    return true;
}

/* Places from addresses. At first all are counted in cells along x. */
static bool count_places(rt_group *g, rt_place *places, rt_place *room, rt_error *why) {
    const rt_view *first = NULL;
    for (uint32_t i = rt_next_view(g, 0); i < g->a->nviews; i = rt_next_view(g, i + 1)) {
        const rt_view *v = &g->a->views[i];
        first = first ? first : v;
        int64_t rest;
        wide bytes = (wide)(uintptr_t)v->origin - (wide)(uintptr_t)first->origin;
        places[i] = (rt_place){{floor_divide(bytes, g->stride[0], &rest), 0, 0}};
        if (rest != 0)
            return refuse(why, v, "between the cells of another");
    }
    if (g->nviews == 1 && !g->written)
        return true;
    if (!cut(g, 0, places, room))
        return rt_fail(why, RT_FOLDED, "grid %u of sweep %u", first->grid, first->sweep);
    /* The first view's cell (0,0,0) becomes that of the array. */
    rt_place zero = places[first - g->a->views];
    for (uint32_t i = 0; i < g->a->nviews; i++)
        for (int d = 0; d < 3; d++)
            places[i].at[d] -= zero.at[d];
    return true;
}

static bool elements_agree(const rt_group *g, rt_error *why) {
    for (uint32_t i = 0; i < g->a->nviews; i++)
        if (g->a->views[i].array == g->array && g->a->views[i].stride[0] != g->stride[0])
            return refuse(why, &g->a->views[i], "elements of another size");
    return true;
}

bool rt_find_places(rt_group *g, rt_place *places, rt_place *room, rt_error *why) {
    count_views(g); /* also of a group that is refused: take_apart asks */
    if (!find_strides(g, why) || !elements_agree(g, why))
        return false;
    turn_round(g, places);
    bool good = find_lengths(g, why) && count_places(g, places, room, why);
    turn_round(g, places);
    return good;
}
