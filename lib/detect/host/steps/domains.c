/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where the sweeps' domains lie in the box of the time step. A sweep's cells are named by those of
 * the array that it writes.
 */
#include "detect/host/after.h"
#include "detect/host/steps/loose.h"
#include "detect/host/steps/parts.h"
#include "model/number.h"

static bool is_whole(const host_whole *w, int number) {
    return w->s->sweeps[number]->stencil->flat == 0;
}

static void find_extent(const host_region *r, poly extent[ST_MAX_RANK]) {
    for (int d = 0; d < ST_MAX_RANK; d++)
        extent[d] = poly_int(r->f, 1);
    for (int i = 0; i < r->axes; i++) {
        int more = !host_tests_first(r->loops[i]) - r->left_out[i][0] - r->left_out[i][1];
        extent[r->dim_of_loop[i]] = poly_plus(r->f, host_loose(r->f, r->count[i]), more);
    }
    for (int d = 0; d < ST_MAX_RANK; d++)
        if (r->implied >> d & 1)
            extent[d] = host_loosened(r->f, r->implied_extent[d]);
}

bool host_find_common_extent(host_whole *w) {
    int first = 0;
    while (first < w->s->count && !is_whole(w, first))
        first++;
    if (first == w->s->count)
        return host_whole_refuse(w, "no sweep has all dimensions");
    find_extent(w->s->sweeps[first], w->extent);
    return true;
}

/* `last` becomes how much longer than the common extent the sweep is; of a layer, 1. */
static bool find_extents(host_whole *w, int number) {
    poly extent[ST_MAX_RANK];
    host_whole_sweep *x = &w->sweeps[number];
    uint32_t flat = w->s->sweeps[number]->stencil->flat;
    find_extent(w->s->sweeps[number], extent);
    for (int d = 0; d < w->step->rank; d++) {
        int64_t more = 1;
        poly less = poly_sub(extent[d], w->extent[d]);
        if (!(flat >> d & 1) &&
            (!poly_is_int(less, &more) || more > HOST_MOST_CELLS || more < -HOST_MOST_CELLS))
            return host_whole_refuse(w, "the sweeps' extents do not differ by constants");
        x->last[d] = (int32_t)more;
    }
    return true;
}

/* Finds the sweep's first cell by an array whose place is known. */
static bool place_by(host_whole *w, int number, size_t grid) {
    const st_view *v = &w->step->sweeps[number].views[grid];
    const host_whole_array *a = &w->arrays[v->array[0]];
    if (!a->placed || v->opposite || w->step->arrays[v->array[0]].broadcast)
        return false;
    for (int d = 0; d < w->step->rank; d++)
        w->sweeps[number].first[d] = a->at[d] + v->at[d];
    return true;
}

static void place_sweep(host_whole *w, int number) {
    st_stencil *s = w->s->sweeps[number]->stencil;
    host_whole_sweep *x = &w->sweeps[number];
    bool placed = false;
    for (size_t g = 0; g < s->ngrids && !placed; g++) /* that an earlier sweep writes */
        placed = w->arrays[w->step->sweeps[number].views[g].array[0]].settled &&
                 host_level_written(s, (int32_t)g) && place_by(w, number, g);
    placed = placed || place_by(w, number, (size_t)s->store_grid);
    for (size_t g = 0; g < s->ngrids && !placed; g++)
        placed = place_by(w, number, g);
    for (size_t g = 0; g < s->ngrids; g++) {
        const st_view *v = &w->step->sweeps[number].views[g];
        host_whole_array *a = &w->arrays[v->array[0]];
        bool stays = a->placed && (a->settled || v->opposite || !host_level_written(s, (int32_t)g));
        for (int d = 0; d < w->step->rank && !stays; d++)
            a->at[d] = x->first[d] - v->at[d];
        a->placed = true;
        a->settled |= host_level_written(s, (int32_t)g) != NULL;
    }
    for (int d = 0; d < w->step->rank; d++)
        x->last[d] += x->first[d];
}

/* From the distance to the array's origin to the distance from the sweep's cell. */
static void settle_views(host_whole *w, int number) {
    st_sweep *x = &w->step->sweeps[number];
    for (size_t g = 0; g < x->stencil->ngrids; g++) {
        const host_whole_array *a = &w->arrays[x->views[g].array[0]];
        bool placed = w->sweeps[number].placed;
        uint32_t broadcast = w->step->arrays[x->views[g].array[0]].broadcast;
        for (int d = 0; d < w->step->rank; d++) {
            if (placed && !(broadcast >> d & 1))
                x->views[g].at[d] = 0;
            else if (!(broadcast >> d & 1))
                x->views[g].at[d] += a->at[d] - w->sweeps[number].first[d];
            else if (d > 0)
                x->views[g].at[d] = 0;
        }
    }
}

typedef struct bounds {
    int32_t lo, hi;
} bounds;

/* The box has all domains and all cells that are written. */
static void add_sweep(const host_whole *w, int number, int d, bounds *box) {
    const host_whole_sweep *y = &w->sweeps[number];
    const st_sweep *x = &w->step->sweeps[number];
    for (size_t g = 0; g < x->stencil->ngrids; g++) {
        bool written = host_level_written(x->stencil, (int32_t)g);
        bool layer = x->stencil->flat >> d & 1, across = x->views[g].opposite >> d & 1;
        bool high = (y->high >> d & 1) != across;
        int32_t at = written ? x->views[g].at[d] : 0;
        if (across && !written)
            continue;
        if (!layer || !high)
            box->lo = st_min32(box->lo, y->first[d] + (across ? at : st_min32(at, 0)));
        if (!layer || high)
            box->hi = st_max32(box->hi, y->last[d] + (across ? at : st_max32(at, 0)));
    }
}

static void set_domain(host_whole *w, int number, int d, const bounds *box) {
    const host_whole_sweep *y = &w->sweeps[number];
    st_sweep *x = &w->step->sweeps[number];
    bool layer = x->stencil->flat >> d & 1, high = y->high >> d & 1;
    x->at_place |= (uint32_t)y->placed << d;
    if (y->placed)
        return;
    x->at_low |= (uint32_t)(layer && !high) << d;
    x->at_high |= (uint32_t)(layer && high) << d;
    x->low[d] = layer && high ? box->hi - y->first[d] : y->first[d] - box->lo;
    x->high[d] = layer && !high ? y->last[d] - box->lo : box->hi - y->last[d];
    /* from the common extent to the box's */
    for (size_t g = 0; g < x->stencil->ngrids; g++)
        if (x->views[g].opposite >> d & 1)
            x->views[g].at[d] += high ? box->hi - box->lo : box->lo - box->hi;
}

static void find_box(host_whole *w) {
    for (int d = 0; d < w->step->rank; d++) {
        bounds box = {INT32_MAX, INT32_MIN};
        for (int i = 0; i < w->s->count; i++)
            if (!w->sweeps[i].placed)
                add_sweep(w, i, d, &box);
        for (int i = 0; i < w->s->count; i++)
            set_domain(w, i, d, &box);
    }
}

bool host_find_domains(host_whole *w) {
    for (int i = 0; i < w->s->count; i++)
        if (!find_extents(w, i))
            return false;
    for (int layers = 0; layers < 2; layers++)
        for (int i = 0; i < w->s->count; i++)
            if (is_whole(w, i) == !layers && !w->sweeps[i].placed)
                place_sweep(w, i);
    for (int i = 0; i < w->s->count; i++)
        settle_views(w, i);
    find_box(w);
    return true;
}
