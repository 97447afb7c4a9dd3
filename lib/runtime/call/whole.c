/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Checks what kernels of whole steps assume:
 *   1. Each sweep's extent is that of the box less constants; or the sweep is a layer at a face,
 * far from the opposite face. The box is large enough for these kernels.
 *   2. Two buffers of sweeps' grids are one array here if and only if the step says so.
 *   3. Each buffer lies in its array where the step says. A cell at a place that the program
 *      computes lies in the box, and all arrays of its sweep agree on the place.
 *   4. For an array whose buffers take turns (of three buffers, the older array's): a step reads
 * the second buffer only in cells that the step wrote before, or that no step writes. In the latter
 *      all buffers are equal, or the kernels are told that both buffers differ (run/steps.h).
 * Where the step copies cells to ghost cells, kernels of whole steps make the window of the box.
 * Once all is checked by the whole box, cells are counted in the window. A cell that no sweep of a
 * step writes keeps its value. So if a launch reads one copy of an array and writes another, and
 * both were equal in such a cell, they stay equal there.
 */
#include "runtime/call/whole.h"

#include "runtime/call/parameters.h"
#include "runtime/call/stops.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_ARRAYS = 256, MOST_CELLS = 1 << 20, NONE = -1 };
#define NONE32 UINT32_MAX

/* Is the kernel well formed? */

/* Those that add up are the last ones. */
static bool adding_is_sound(const stencilrt_region *r, uint32_t number) {
    const stencilrt_kernel *k = &r->kernels[number];
    bool last = number + 1 == r->nkernels || k[1].kind == STENCILRT_ADDING;
    return k->name && last && k->block[0] > 0 && k->block[0] <= 1024 && k->block[1] == 1 &&
           k->block[2] == 1 && (k->tiles == sizeof(float) || k->tiles == sizeof(double));
}

static bool kernel_is_sound(const stencilrt_region *r, uint32_t number) {
    const stencilrt_kernel *k = &r->kernels[number];
    if (k->kind == STENCILRT_ADDING)
        return adding_is_sound(r, number);
    if (k->kind == STENCILRT_RESIDENT && k->reach == 0) /* of a sweep: validate.c checks it */
        return r->nsweeps <= 2;
    if (k->kind == STENCILRT_RESIDENT)
        return k->name && r->step && r->rank == 2 && k->parts == 0 && rt_resident_is_sound(r, k);
    uint64_t threads = (uint64_t)k->block[0] * k->block[1] * k->block[2];
    bool falls = number == r->nsweeps || k->bt < r->kernels[number - 1].bt || k->parts > 0;
    return k->name && k->kind == STENCILRT_STEPS && r->step && k->bt >= 1 &&
           k->bt <= STENCILRT_VALUES && falls && threads > 0 && threads <= 1024 && k->tile[0] > 0 &&
           k->tile[0] <= MOST_CELLS && k->tile[1] > 0 && k->tile[1] <= MOST_CELLS && k->tiles > 0 &&
           k->tiles <= MOST_CELLS && k->overlap <= MOST_CELLS;
}

uint32_t rt_whole_parts(const stencilrt_region *r) {
    bool has = r->nkernels > r->nsweeps && r->kernels[r->nsweeps].kind == STENCILRT_STEPS;
    return has ? r->kernels[r->nsweeps].parts : 0;
}

/* Either no kernel makes a part of a step, or all do. */
static bool parts_are_sound(const stencilrt_region *r) {
    uint32_t parts = rt_whole_parts(r), count = 0;
    bool good = parts <= RT_MAX_PARTS;
    for (uint32_t k = r->nsweeps; k < r->nkernels && good; k++) {
        bool steps = r->kernels[k].kind == STENCILRT_STEPS;
        good = !steps || (r->kernels[k].parts == parts && (parts == 0 || r->kernels[k].bt == 1));
        count += steps;
    }
    return good && (parts == 0 || count == parts);
}

static bool is_small(int32_t cells) {
    return cells >= -MOST_CELLS && cells <= MOST_CELLS;
}

/* Is the sweep a layer that does not reach the opposite face? */
static bool is_layer(const stencilrt_region *r, uint32_t sweep, int d, uint32_t opposite) {
    const stencilrt_domain *one = &r->step->domains[sweep];
    return !(opposite >> d & 1) || ((one->at_low | one->at_high) >> d & 1);
}

static bool places_are_sound(const stencilrt_region *r) {
    const stencilrt_place *p = r->step->places;
    bool good = true;
    for (uint32_t s = 0; s < r->nsweeps; s++)
        for (uint32_t g = 0; g < r->sweeps[s].ngrids; g++)
            for (uint32_t i = 0; i < r->sweeps[s].grids[g].buffers; i++, p++) {
                good = good && p->array < r->step->narrays && p->turn < 2 &&
                       r->sweeps[s].grids[g].buffers <= 3;
                for (int d = 0; d < 3; d++)
                    good = good && is_small(p->at[d]) && is_layer(r, s, d, p->opposite);
            }
    return good;
}

static bool domains_are_sound(const stencilrt_region *r) {
    bool good = true;
    for (uint32_t s = 0; s < r->nsweeps; s++)
        for (int d = 0; d < 3; d++) {
            const stencilrt_domain *one = &r->step->domains[s];
            good = good && one->low[d] >= 0 && one->high[d] >= 0 && is_small(one->low[d]) &&
                   is_small(one->high[d]) &&
                   (!(one->at_place >> d & 1) || (one->low[d] == 0 && one->high[d] == 0));
        }
    return good;
}

bool rt_whole_has_margins(const stencilrt_region *r) {
    bool has = false;
    for (int d = 0; d < 3 && r->step; d++)
        has = has || r->step->margin_low[d] > 0 || r->step->margin_high[d] > 0;
    return has;
}

static bool margins_are_sound(const stencilrt_step *step) {
    bool good = step->first <= MOST_CELLS && step->last <= MOST_CELLS;
    for (int d = 0; d < 3; d++)
        good = good && step->margin_low[d] <= MOST_CELLS && step->margin_high[d] <= MOST_CELLS;
    return good;
}

bool rt_whole_is_sound(const stencilrt_region *r, rt_error *why) {
    bool good = true;
    for (uint32_t k = r->nsweeps; k < r->nkernels && good; k++)
        good = kernel_is_sound(r, k) && (r->kernels[k].kind == STENCILRT_RESIDENT ||
                                         rt_parameters_are_sound(r, &r->kernels[k]));
    good = good && parts_are_sound(r);
    for (uint32_t d = 0; d < 3; d++)
        good = good && r->pad_low[d] <= MOST_CELLS && r->pad_high[d] <= MOST_CELLS;
    if (good && r->step)
        good = r->step->narrays > 0 && r->step->narrays <= MOST_ARRAYS && r->step->places &&
               r->step->domains && places_are_sound(r) && domains_are_sound(r) &&
               margins_are_sound(r->step);
    return good || rt_fail(why, RT_MALFORMED, "the whole steps");
}

/* The box */

/* The place of the sweep's cell 0 along d, in a box of this extent. 0 for a cell at a place. */
static int64_t first_cell(const stencilrt_domain *one, uint32_t d, int64_t extent) {
    return one->at_high >> d & 1 ? extent - one->low[d] : one->low[d];
}

static bool is_at_place(const stencilrt_region *r, uint32_t sweep, uint32_t d) {
    return r->step->domains[sweep].at_place >> d & 1;
}

static int64_t last_cell(const stencilrt_domain *one, uint32_t d, int64_t extent) {
    return one->at_low >> d & 1 ? one->high[d] : extent - one->high[d];
}

/* The sum of three greatest distances along d: of a read from its cell, of an array's place, and of
 * a domain from the faces. */
static int64_t reach(const stencilrt_region *r, uint32_t d) {
    const stencilrt_place *p = r->step->places;
    int64_t offset = 0, at = 0, face = 0;
    for (uint32_t s = 0; s < r->nsweeps; s++) {
        const stencilrt_domain *one = &r->step->domains[s];
        face = one->low[d] > face ? one->low[d] : face;
        face = one->high[d] > face ? one->high[d] : face;
        for (uint32_t i = 0; i < r->sweeps[s].nports; i++)
            for (uint32_t k = 0; k < r->sweeps[s].ports[i].noffsets; k++) {
                bool extends = !(r->sweeps[s].grids[r->sweeps[s].ports[i].grid].broadcast >> d & 1);
                int64_t one_offset = llabs(r->sweeps[s].ports[i].offsets[3 * k + d]);
                offset = extends && one_offset > offset ? one_offset : offset;
            }
        for (uint32_t g = 0; g < r->sweeps[s].ngrids; g++)
            for (uint32_t i = 0; i < r->sweeps[s].grids[g].buffers; i++, p++) {
                bool extends = !(r->sweeps[s].grids[g].broadcast >> d & 1);
                at = extends && llabs(p->at[d]) > at ? llabs(p->at[d]) : at;
            }
    }
    return offset + at + face;
}

/* A layer at one face reads nothing beyond the other face. Kernels rely on this and leave out
 * tests. */
static bool layers_are_apart(const stencilrt_region *r, uint32_t d, int64_t extent) {
    bool layers = false;
    for (uint32_t s = 0; s < r->nsweeps; s++)
        layers = layers || (r->step->domains[s].at_low | r->step->domains[s].at_high) >> d & 1;
    return !layers || extent >= 2 * reach(r, d);
}

static bool find_extent(rt_arrays *a, uint32_t d) {
    const stencilrt_region *r = a->region;
    int64_t extent = 0;
    for (uint32_t s = 0; s < r->nsweeps && extent == 0; s++) {
        const stencilrt_domain *one = &r->step->domains[s];
        if (!((one->at_low | one->at_high | one->at_place) >> d & 1))
            extent = a->call->sweeps[s].extent[d] + one->low[d] + one->high[d];
    }
    for (uint32_t s = 0; s < r->nsweeps; s++) {
        const stencilrt_domain *one = &r->step->domains[s];
        int64_t first = first_cell(one, d, extent), last = last_cell(one, d, extent);
        if (is_at_place(r, s, d))
            last = 1;
        if (first < 0 || last > extent || last - first != a->call->sweeps[s].extent[d])
            return false;
    }
    a->whole.extent[d] = extent;
    int64_t window = extent - r->step->margin_low[d] - r->step->margin_high[d];
    return window > 0 && window >= r->step->least && layers_are_apart(r, d, extent);
}

/* The arrays */

/* The place of the box's cell (0,0,0) in the array, by this view. */
static void find_zero(const rt_arrays *a, const rt_view *v, const stencilrt_place *p,
                      int64_t zero[3]) {
    const stencilrt_region *r = &a->region->sweeps[v->sweep];
    const stencilrt_domain *one = &a->region->step->domains[v->sweep];
    for (uint32_t d = 0; d < 3; d++) {
        bool extends = d < r->rank && !(r->grids[v->grid].broadcast >> d & 1);
        int64_t extent = a->whole.extent[d], across = one->at_high >> d & 1 ? -extent : extent;
        zero[d] = v->at[d];
        if (extends)
            zero[d] -= first_cell(one, d, extent) + a->whole.places[3 * v->sweep + d] + p->at[d] +
                       (p->opposite >> d & 1 ? across : 0);
    }
    if (r->grids[v->grid].broadcast & 1) /* as in w[3]: the element */
        zero[0] -= p->at[0];
}

static const stencilrt_grid *grid_of(const rt_arrays *a, uint32_t view) {
    return &a->region->sweeps[a->views[view].sweep].grids[a->views[view].grid];
}

/* Are the view and those of array k traces that set different elements in all steps? */
static bool are_traces_apart(const rt_arrays *a, uint32_t view, uint32_t k) {
    static const int32_t here[3];
    rt_box box = rt_view_box(a, &a->views[view], here);
    bool apart = grid_of(a, view)->along > 0;
    for (uint32_t i = 0; i < a->nviews && apart; i++) {
        rt_box other = rt_view_box(a, &a->views[i], here);
        if (a->region->step->places[i].array == k)
            apart = grid_of(a, i)->along > 0 && !rt_box_meets(&box, &other);
    }
    return apart;
}

/* Adds what the view shows of its array. False if this is not what the step says. */
static bool add_view(rt_arrays *a, uint32_t number) {
    const rt_view *v = &a->views[number];
    const stencilrt_place *p = &a->region->step->places[number];
    rt_whole_array *w = &a->whole.arrays[p->array];
    const stencilrt_grid *grid = grid_of(a, number);
    int64_t zero[3], advance = grid->advance * (int64_t)grid->elem_size;
    uint32_t broadcast = grid->along > 0 ? 7 : grid->broadcast;
    if (v->array == UINT32_MAX)
        return false;
    for (uint32_t k = 0; k < a->region->step->narrays; k++)
        for (uint32_t turn = 0; turn < 2; turn++)
            if (a->whole.arrays[k].of[turn] == v->array && (k != p->array || turn != p->turn) &&
                !are_traces_apart(a, number, k))
                return false;
    find_zero(a, v, p, zero);
    if (grid->along > 0)
        memcpy(zero, v->at, sizeof zero);
    if (w->of[p->turn] == UINT32_MAX) {
        w->of[p->turn] = v->array;
        memcpy(w->zero[p->turn], zero, sizeof zero);
        w->broadcast = broadcast;
        w->advance = advance;
        w->along = grid->along;
    }
    w->written |= v->written && !grid->along;
    return w->of[p->turn] == v->array && !memcmp(w->zero[p->turn], zero, sizeof zero) &&
           w->broadcast == broadcast && w->advance == advance && w->along == grid->along &&
           !(advance && w->written);
}

/* The sweep's place along d, from a view of an array whose zero is known. */
static bool find_place(rt_arrays *a, uint32_t sweep, uint32_t d) {
    const stencilrt_region *r = a->region;
    int64_t found = NONE;
    for (uint32_t i = a->first_view[sweep]; i < a->nviews && found == NONE; i++) {
        const rt_view *v = &a->views[i];
        const stencilrt_place *p = &r->step->places[i];
        const rt_whole_array *w = &a->whole.arrays[p->array];
        if (v->sweep != sweep || w->of[p->turn] != v->array || w->broadcast >> d & 1)
            continue;
        found = v->at[d] - p->at[d] - w->zero[p->turn][d];
        if (found < 0 || found >= a->whole.extent[d])
            return false;
    }
    a->whole.places[3 * sweep + d] = found;
    return found != NONE;
}

static bool find_places(rt_arrays *a) {
    bool found = true;
    for (uint32_t s = 0; s < a->region->nsweeps && found; s++)
        for (uint32_t d = 0; d < a->region->rank && found; d++)
            found = !is_at_place(a->region, s, d) || find_place(a, s, d);
    return found;
}

static bool is_ghost(const rt_arrays *a, uint32_t view) {
    return a->region->step->places[view].opposite & STENCILRT_GHOST;
}

/* Adds the views of sweeps at places, or those of the other sweeps but ghost cells. */
static bool add_views(rt_arrays *a, bool at_place) {
    bool good = true;
    for (uint32_t i = 0; i < a->nviews && good; i++)
        good = (a->region->step->domains[a->views[i].sweep].at_place != 0) != at_place ||
               is_ghost(a, i) || add_view(a, i);
    return good;
}

/* Adds those of ghost cells. No sweep reads those that lie apart. The last step's copies, by the
 * sweeps' own kernels, are what the program leaves there. */
static bool add_ghosts(rt_arrays *a) {
    bool good = true;
    for (uint32_t i = 0; i < a->nviews && good; i++) {
        const rt_view *v = &a->views[i];
        if (!is_ghost(a, i))
            continue;
        bool apart = !v->read && v->array != UINT32_MAX;
        for (uint32_t k = 0; k < 2 * a->region->step->narrays; k++)
            apart = apart && a->whole.arrays[k / 2].of[k % 2] != v->array;
        for (uint32_t k = 0; k < a->nviews && apart; k++)
            apart = a->views[k].array != v->array || (is_ghost(a, k) && !a->views[k].read);
        a->whole.ghosts_apart |= apart;
        good = apart || add_view(a, i);
    }
    return good;
}

/* The first two buffers of a grid are two arrays: each takes the place of the other after a step.
 * Of three buffers, the third is the second buffer of the first array. False if they take other
 * places, too. */
static bool find_turn(rt_arrays *a, const stencilrt_place *p, uint32_t buffers) {
    bool good = buffers < 3 || (p[2].array == p[0].array && p[0].turn == 0 && p[2].turn == 1);
    for (int i = 0; i < 2; i++) {
        rt_whole_array *x = &a->whole.arrays[p[i].array];
        uint32_t other = p[1 - i].array, older = buffers == 3 ? p[0].array : NONE32;
        good = good && (x->becomes == p[i].array || (x->becomes == other && x->older == older));
        x->becomes = other;
        x->older = older;
        x->written = true;
    }
    return good;
}

static bool find_turns(rt_arrays *a) {
    const stencilrt_region *r = a->region;
    const stencilrt_place *p = r->step->places;
    bool good = true;
    for (uint32_t s = 0; s < r->nsweeps; s++)
        for (uint32_t g = 0; g < r->sweeps[s].ngrids; p += r->sweeps[s].grids[g++].buffers) {
            uint32_t buffers = r->sweeps[s].grids[g].buffers;
            if (buffers > 1 && p[0].array != p[1].array)
                good = good && find_turn(a, p, buffers);
            else
                good = good && buffers < 3;
        }
    for (uint32_t k = 0; k < r->step->narrays; k++) {
        const rt_whole_array *x = &a->whole.arrays[k];
        bool single = x->of[1] == NONE32;
        good = good && a->whole.arrays[x->becomes].becomes == k &&
               (x->becomes == k || (single == (x->older != k) && x->advance == 0));
    }
    return good;
}

static bool find_arrays(rt_arrays *a) {
    rt_whole *w = &a->whole;
    for (uint32_t k = 0; k < a->region->step->narrays; k++) {
        w->arrays[k].of[0] = w->arrays[k].of[1] = UINT32_MAX;
        w->arrays[k].becomes = k;
        w->arrays[k].older = NONE32;
    }
    if (!add_views(a, false) || !find_places(a) || !add_views(a, true) || !add_ghosts(a))
        return false;
    for (uint32_t k = 0; k < a->region->step->narrays; k++) {
        const rt_whole_array *x = &w->arrays[k];
        if (x->of[0] == UINT32_MAX || (x->of[1] != UINT32_MAX && !x->written))
            return false;
        w->swaps |= x->of[1] != UINT32_MAX;
    }
    return find_turns(a);
}

/* From the box to its window. */
static void take_window(rt_arrays *a) {
    const stencilrt_step *step = a->region->step;
    for (uint32_t d = 0; d < a->region->rank; d++) {
        a->whole.extent[d] -= step->margin_low[d] + (int64_t)step->margin_high[d];
        for (uint32_t k = 0; k < step->narrays; k++)
            for (int turn = 0; turn < 2 && !(a->whole.arrays[k].broadcast >> d & 1); turn++)
                a->whole.arrays[k].zero[turn][d] += step->margin_low[d];
        for (uint32_t s = 0; s < a->region->nsweeps; s++)
            a->whole.places[3 * s + d] -= step->margin_low[d];
    }
}

/* Degrees */

/* How many of these kernels have a copy to write to for the array. */
static uint32_t count_writers(const stencilrt_kernel *k, uint32_t kernels, uint32_t array) {
    uint32_t count = 0;
    for (uint32_t n = 0; n < kernels; n++)
        for (uint32_t i = 0; i < k[n].nparameters; i++)
            count +=
                k[n].parameters[i].kind == STENCILRT_ARG_DST && k[n].parameters[i].index == array;
    return count;
}

/* Does the kernel, or do all parts, have a copy to write to for each array that is written, and for
 * no other? One part writes the newer one of two buffers. In parts, u[t] is only read beside
 * u[t-1], whose place it takes. */
static bool writes_the_same(const rt_arrays *a, const stencilrt_kernel *k) {
    bool same = true;
    for (uint32_t i = 0; i < a->region->step->narrays && same; i++) {
        const rt_whole_array *w = &a->whole.arrays[i];
        uint32_t writers = count_writers(k, k->parts ? k->parts : 1, i);
        bool turns = w->of[1] != NONE32, reads = k->parts > 0 && w->becomes != i;
        same = w->written ? writers > 0 || reads : writers == 0;
        same = same && (writers <= 1 || !turns) && (k->parts == 0 || w->older == NONE32);
    }
    return same;
}

/* Does the kernel reduce if and only if each step's reduction decides about the next step? */
static bool reduces_alike(const rt_arrays *a, const stencilrt_kernel *k) {
    enum { MOST = 128 }; /* the slots of all steps fit into a chunk */
    bool reduces = false;
    for (uint32_t i = 0; i < k->nparameters; i++)
        reduces = reduces || k->parameters[i].kind == STENCILRT_ARG_REDUCED;
    return reduces == a->whole.decides && (!reduces || rt_reduction_count(a->region) <= MOST);
}

/* A kernel counts cells in 32 bits. */
static bool counts_fit(const rt_arrays *a, const stencilrt_kernel *k) {
    const stencilrt_region *r = a->region;
    bool fits = reduces_alike(a, k);
    for (uint32_t d = 0; d < r->rank; d++) {
        int64_t idle = d == 0 ? (int64_t)k->tile[0] * k->tiles : d == 1 ? (int64_t)k->tile[1] : 0;
        fits = fits && a->whole.extent[d] + r->pad_low[d] + r->pad_high[d] + idle <= INT32_MAX;
    }
    return fits;
}

/* Of the first part: do all parts fit? */
static bool kernel_fits(const rt_arrays *a, const stencilrt_kernel *k) {
    bool makes = k->kind == STENCILRT_STEPS || (k->kind == STENCILRT_RESIDENT && k->reach > 0);
    bool fits = makes && writes_the_same(a, k);
    for (uint32_t i = 0; i < (k->parts ? k->parts : 1) && fits; i++)
        fits = counts_fit(a, &k[i]);
    return fits;
}

/* Finds the degree. If arrays take turns, the sweeps' kernels make the last step, because they
 * leave both buffers right. They also make it if it computes numbers from all cells that no step
 * before needs. */
static bool find_degree(rt_arrays *a, int64_t max_bt) {
    const stencilrt_region *r = a->region;
    a->whole.last = a->whole.swaps || (rt_has_reductions(r) && !a->whole.decides);
    a->whole.last = r->step->last > a->whole.last ? r->step->last : a->whole.last;
    a->whole.last = a->whole.last == 0 && a->whole.ghosts_apart ? 1 : a->whole.last;
    a->whole.first = r->step->first;
    a->whole.may_end = !a->whole.swaps && r->step->last == 0 && !a->whole.ghosts_apart;
    uint32_t end = rt_whole_parts(r) ? r->nsweeps + 1 : r->nkernels;
    for (uint32_t k = r->nsweeps; k < end && a->whole.bt == 0 && max_bt > 1; k++)
        if (r->kernels[k].bt <= max_bt &&
            r->kernels[k].bt <= a->call->steps - a->whole.first - a->whole.last &&
            kernel_fits(a, &r->kernels[k]))
            a->whole.bt = r->kernels[k].bt;
    return a->whole.bt > 0;
}

bool rt_whole_may_use(const rt_arrays *a, uint32_t kernel) {
    const stencilrt_kernel *k = &a->region->kernels[kernel];
    bool first = k->parts == 0 || kernel == a->region->nsweeps;
    return first && k->bt <= a->whole.bt && kernel_fits(a, k);
}

/* Layouts */

static void hull(rt_box *box, const rt_box *other) {
    for (int d = 0; d < 3; d++) {
        box->lo[d] = other->lo[d] < box->lo[d] ? other->lo[d] : box->lo[d];
        box->hi[d] = other->hi[d] > box->hi[d] ? other->hi[d] : box->hi[d];
    }
}

/* Makes an array's cells count in the box's coordinates, in one of its buffers. */
static void rename_cells(rt_arrays *a, uint32_t array, const int64_t zero[3]) {
    rt_grid *grid = &a->shape.grids[array];
    rt_buffer *buffer = &a->shape.buffers[array];
    grid->aligned = 0;
    for (int d = 0; d < 3; d++) {
        grid->box.lo[d] -= zero[d];
        grid->box.hi[d] -= zero[d];
        buffer->origin += zero[d] * grid->host_stride[d];
    }
    for (uint32_t i = 0; i < a->nviews; i++)
        for (int d = 0; d < 3 && a->views[i].array == array; d++)
            a->views[i].at[d] -= zero[d];
}

static void add_pads(const rt_arrays *a, uint32_t broadcast, rt_box *box) {
    for (uint32_t d = 0; d < a->region->rank; d++) {
        if (broadcast >> d & 1)
            continue;
        box->lo[d] = (box->lo[d] < 0 ? box->lo[d] : 0) - a->region->pad_low[d];
        box->hi[d] = (box->hi[d] > a->whole.extent[d] ? box->hi[d] : a->whole.extent[d]) +
                     a->region->pad_high[d];
    }
}

/* All arrays that are written get one layout. Each of the others gets its own. */
static bool lay_out(rt_arrays *a, rt_error *why) {
    rt_box common = {{0, 0, 0}, {1, 1, 1}};
    bool good = true;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < 2 * a->region->step->narrays && good; i++) {
            const rt_whole_array *w = &a->whole.arrays[i / 2];
            if (w->of[i % 2] == UINT32_MAX)
                continue;
            rt_grid *grid = &a->shape.grids[w->of[i % 2]];
            if (pass == 0) {
                if (!w->along)
                    rename_cells(a, w->of[i % 2], w->zero[i % 2]);
                a->whole.bare[w->of[i % 2]] = grid->box;
                add_pads(a, w->broadcast, &grid->box);
                if (w->written)
                    hull(&common, &grid->box);
                continue;
            }
            if (w->written)
                grid->box = common;
            good = rt_grid_lay_out(grid, 0, why);
        }
    return good;
}

/* The layouts may differ if elements have different sizes. */
static bool have_one_layout(const rt_arrays *a) {
    const rt_grid *first = NULL;
    bool equal = true;
    for (uint32_t k = 0; k < a->region->step->narrays; k++) {
        const rt_whole_array *w = &a->whole.arrays[k];
        if (!w->written)
            continue;
        const rt_grid *grid = &a->shape.grids[w->of[0]];
        first = first ? first : grid;
        equal = equal && !memcmp(first->stride, grid->stride, sizeof grid->stride);
    }
    return equal;
}

bool rt_whole_make(rt_arrays *a, int64_t max_bt, rt_error *why) {
    const stencilrt_region *r = a->region;
    a->whole.decides = rt_ends_by_condition(a->call->check) && rt_has_reductions(r);
    bool can = r->step && max_bt > 1 && !a->call->tables &&
               !(rt_whole_has_margins(r) && rt_ends_by_condition(a->call->check));
    if (!can)
        return true;
    a->whole.arrays = calloc(r->step->narrays, sizeof *a->whole.arrays);
    a->whole.bare = calloc(a->count + 1, sizeof *a->whole.bare);
    a->whole.places = calloc(3 * (size_t)r->nsweeps + 1, sizeof *a->whole.places);
    if (!a->whole.arrays || !a->whole.bare || !a->whole.places)
        return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    for (uint32_t i = 0; i < a->count; i++)
        a->whole.bare[i] = a->shape.grids[i].box;
    for (uint32_t d = 0; d < 3; d++) {
        a->whole.extent[d] = 1;
        can = can && (d >= r->rank || find_extent(a, d));
    }
    if (!can || !find_arrays(a))
        return true;
    take_window(a);
    if (!find_degree(a, max_bt))
        return true;
    if (!lay_out(a, why))
        return false;
    a->whole.padded = true;
    a->whole.can = have_one_layout(a);
    return true;
}

bool rt_whole_keep_layouts(rt_arrays *a, rt_error *why) {
    size_t bytes = (a->count + 1) * sizeof *a->whole.wide;
    a->whole.wide = a->whole.can ? malloc(bytes) : NULL;
    if (a->whole.wide)
        memcpy(a->whole.wide, a->shape.grids, a->count * sizeof *a->whole.wide);
    return a->whole.wide || !a->whole.can || rt_fail(why, RT_HOST_MEMORY, "%s", "");
}

void rt_whole_free(rt_whole *w) {
    free(w->arrays);
    free(w->places);
    free(w->bare);
    free(w->wide);
}
