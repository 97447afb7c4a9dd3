/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Rows of sweeps and arrays: lines.h. A sweep and an array of it tell each other's rows: the view's
 * cell 0 is in the same row in both. Other views of the sweep may tell another row of it. Then what
 * is accessed through them counts as so many rows away.
 */
#include "runtime/call/lines.h"

#include <stdlib.h>
#include <string.h>

static uint32_t last_of(const rt_arrays *a) {
    return a->region->rank - 1;
}

bool rt_view_has_rows(const rt_arrays *a, const rt_view *v) {
    return v->array != UINT32_MAX &&
           !(a->region->sweeps[v->sweep].grids[v->grid].broadcast >> last_of(a) & 1);
}

/* Takes over what one view tells. True if that is new. */
static bool learn(rt_lines *l, const rt_arrays *a, const rt_view *v) {
    bool *sweep = &l->known[v->sweep], *array = &l->known[a->region->nsweeps + v->array];
    if (*sweep == *array)
        return false;
    if (*sweep)
        l->arrays[v->array] = l->sweeps[v->sweep] - v->at[last_of(a)];
    else
        l->sweeps[v->sweep] = l->arrays[v->array] + v->at[last_of(a)];
    return *sweep = *array = true;
}

/* Written views come first. */
static void learn_all(rt_lines *l, const rt_arrays *a) {
    for (bool more = true; more;) {
        more = false;
        for (int pass = 0; pass < 2 && !more; pass++)
            for (uint32_t i = 0; i < a->nviews; i++)
                if (rt_view_has_rows(a, &a->views[i]) && (pass == 1 || a->views[i].written))
                    more |= learn(l, a, &a->views[i]);
    }
}

static int64_t height(const rt_arrays *a, uint32_t sweep) {
    return a->call->sweeps[sweep].extent[last_of(a)];
}

/* Lets rows count from the first one that is computed. */
static void renumber(rt_lines *l, const rt_arrays *a) {
    int64_t first = INT64_MAX, end = INT64_MIN;
    for (uint32_t s = 0; s < a->region->nsweeps; s++) {
        first = l->sweeps[s] < first ? l->sweeps[s] : first;
        end = l->sweeps[s] + height(a, s) > end ? l->sweeps[s] + height(a, s) : end;
    }
    l->rows = end - first;
    for (uint32_t s = 0; s < a->region->nsweeps; s++)
        l->sweeps[s] -= first;
    for (uint32_t i = 0; i < a->count; i++)
        l->arrays[i] -= first;
}

static int64_t greater(int64_t a, int64_t b) {
    return a > b ? a : b;
}

/* False if the sweep is neither of all rows nor a layer at an end. */
static bool classify(rt_lines *l, const rt_arrays *a, uint32_t s) {
    int64_t low = l->sweeps[s], end = low + height(a, s), high = l->rows - end;
    bool all = 2 * (end - low) > l->rows;
    l->layers[s] = all ? RT_ALL : low < high ? RT_LOW : RT_HIGH;
    int64_t face = all ? greater(low, high) : low < high ? end : l->rows - low;
    l->face = greater(l->face, face);
    return 4 * face < l->rows;
}

/* How many rows away from its own row the sweep accesses what some sweep writes. */
static int64_t reach_of(const rt_lines *l, const rt_arrays *a, uint32_t s) {
    const stencilrt_region *r = &a->region->sweeps[s];
    uint32_t last = last_of(a);
    int64_t reach = rt_rule_reach(a->region);
    for (int64_t step = 0; step < RT_MAX_PERIOD && step < a->call->steps; step++)
        for (uint32_t p = 0; p < r->nports; p++) {
            const rt_view *v = rt_port_view(a, s, &r->ports[p], step);
            if (!rt_view_has_rows(a, v) || !a->shape.buffers[v->array].written)
                continue;
            int64_t away = l->arrays[v->array] + v->at[last] - l->sweeps[s];
            if (r->ports[p].access & STENCILRT_WRITE)
                reach = greater(reach, llabs(away));
            for (uint32_t i = 0; i < r->ports[p].noffsets; i++)
                reach = greater(reach, llabs(away + r->ports[p].offsets[3 * i + last]));
        }
    return reach;
}

/* Moves the fronts of wrong rows as a step does. Of an array, the rows before row wrong[array] may
 * be wrong, counted from the end that `sign` tells: 1 the low one, -1 the high one. A sweep that is
 * not made in this step, or not in all cells, leaves them where they were. */
static void move_fronts(const rt_lines *l, const rt_arrays *a, int64_t step, int sign,
                        int64_t *wrong) {
    uint32_t last = last_of(a);
    for (uint32_t s = 0; s < a->region->nsweeps; s++) {
        const stencilrt_region *r = &a->region->sweeps[s];
        int64_t seen = 0;
        for (int writes = 0; writes < 2; writes++)
            for (uint32_t p = 0; p < r->nports; p++) {
                const rt_view *v = rt_port_view(a, s, &r->ports[p], step);
                if (!rt_view_has_rows(a, v) || !a->shape.buffers[v->array].written)
                    continue;
                int64_t away = l->arrays[v->array] + v->at[last] - l->sweeps[s];
                int64_t *front = &wrong[v->array];
                if (writes && (r->ports[p].access & STENCILRT_WRITE))
                    *front = greater(*front, seen + sign * away);
                for (uint32_t i = 0; i < r->ports[p].noffsets && !writes; i++)
                    seen =
                        greater(seen, *front - sign * (away + r->ports[p].offsets[3 * i + last]));
            }
    }
}

/* Lets `front` be so far that a step moves it by at most `reach` rows. `moved` is for the work.
 * False if steps move it farther, however far it is. */
static bool settle_front(const rt_lines *l, const rt_arrays *a, int64_t reach, int sign,
                         int64_t *front, int64_t *moved) {
    bool more = true;
    for (uint32_t tries = 0; tries <= 2 * a->count + 1 && more; tries++) {
        more = false;
        for (int64_t step = 0; step < RT_MAX_PERIOD && step < a->call->steps; step++) {
            memcpy(moved, front, a->count * sizeof *front);
            move_fronts(l, a, step, sign, moved);
            for (uint32_t i = 0; i < a->count; i++) {
                more = more || moved[i] - reach > front[i];
                front[i] = greater(front[i], moved[i] - reach);
            }
        }
    }
    return !more;
}

/* If each step moves the front of wrong rows by so many rows: how far it is at most before the
 * first step. -1: it moves faster. */
static int64_t front_at(const rt_lines *l, const rt_arrays *a, int64_t reach) {
    int64_t *fronts = calloc(2 * (size_t)a->count + 1, sizeof *fronts), far = -1;
    bool good = fronts != NULL;
    for (int sign = -1; sign <= 1 && good; sign += 2) {
        memset(fronts, 0, a->count * sizeof *fronts);
        good = settle_front(l, a, reach, sign, fronts, fronts + a->count);
        for (uint32_t i = 0; i < a->count && good; i++)
            far = greater(far, fronts[i]);
    }
    free(fronts);
    return good ? far : -1;
}

/* A step reaches no farther than all its sweeps, one after the other. Often it reaches less: one
 * sweep reads the rows before, and the next one the rows after. */
static void lessen_reach(rt_lines *l, const rt_arrays *a) {
    if (rt_rule_reach(a->region) > 0)
        return; /* at the ends, sweeps read other rows than their offsets say */
    for (int64_t reach = 0; reach < l->reach; reach++) {
        int64_t front = front_at(l, a, reach);
        if (front < 0)
            continue;
        l->reach = reach;
        l->face += front;
    }
}

/* Does a sweep write to another place in each step? Such a place may lie in no row. */
static bool moves(const rt_arrays *a) {
    bool any = false;
    for (uint32_t i = 0; i < a->nviews; i++)
        any = any || a->region->sweeps[a->views[i].sweep].grids[a->views[i].grid].along > 0;
    return any;
}

/* Have all sweeps this dimension, and is all that is written written in rows? */
static bool has_rows(const rt_arrays *a) {
    bool rows = a->region->rank > 1 && !moves(a);
    for (uint32_t s = 0; s < a->region->nsweeps; s++)
        rows = rows && a->region->sweeps[s].rank == a->region->rank;
    for (uint32_t i = 0; i < a->nviews; i++)
        rows = rows && (!a->views[i].written || rt_view_has_rows(a, &a->views[i]));
    return rows;
}

/* Does every access but those by rules stay in its own row? Of arrays that are only read, too. */
static bool stays_in_rows(const rt_lines *l, const rt_arrays *a) {
    uint32_t last = last_of(a);
    bool stays = true;
    for (uint32_t i = 0; i < a->nviews; i++) {
        const rt_view *v = &a->views[i];
        if (rt_view_has_rows(a, v))
            stays = stays && l->arrays[v->array] + v->at[last] == l->sweeps[v->sweep] &&
                    v->box.lo[last] == 0 && v->box.hi[last] == l->rows;
    }
    return stays;
}

bool rt_lines_make(rt_lines *l, const rt_arrays *a) {
    uint32_t sweeps = a->region->nsweeps;
    *l = (rt_lines){.sweeps = calloc(sweeps, sizeof *l->sweeps),
                    .arrays = calloc(a->count + 1, sizeof *l->arrays),
                    .layers = calloc(sweeps, sizeof *l->layers),
                    .known = calloc(sweeps + a->count, sizeof *l->known)};
    if (!l->sweeps || !l->arrays || !l->layers || !l->known || !has_rows(a))
        return false;
    for (uint32_t s = 0; s < sweeps; s++) {
        l->known[s] = true; /* unless the sweeps before told its row */
        learn_all(l, a);
    }
    renumber(l, a);
    bool good = true;
    for (uint32_t s = 0; s < sweeps && good; s++) {
        l->reach += reach_of(l, a, s);
        good = classify(l, a, s);
    }
    lessen_reach(l, a);
    l->round = rt_slab_rules(a->region) & STENCILRT_SLABS_ROUND;
    return good && (!l->round || (l->face == 0 && stays_in_rows(l, a)));
}

bool rt_lines_has(const rt_lines *l, const rt_arrays *a, uint32_t array) {
    return l->known[a->region->nsweeps + array];
}

void rt_lines_free(rt_lines *l) {
    free(l->sweeps);
    free(l->arrays);
    free(l->layers);
    free(l->known);
}

int64_t rt_lines_moved(const rt_lines *l, uint32_t sweep, int64_t lo, int64_t hi) {
    return l->round ? 0 : l->layers[sweep] == RT_HIGH ? hi - l->rows : lo;
}

int64_t rt_lines_less(const rt_lines *l, uint32_t sweep, int64_t lo, int64_t hi) {
    return l->layers[sweep] == RT_ALL ? l->rows - (hi - lo) : 0;
}
