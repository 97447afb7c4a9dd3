/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which grids of different sweeps are one array, where the grids lie in it, and where the sweeps'
 * domains lie in the box of the step.
 *
 * Grids are one array if their origins are a constant number of cells, rows and planes apart. All
 * other grids are taken for different arrays. An array's cells are named by the program's indices
 * where these can be told: by the distance of the grid's origin from the base pointer. A sweep's
 * cells are named by those of the array that it writes.
 *
 * All of this is an assumption, which the runtime checks by addresses and extents. So values are
 * compared loosely: integers are taken not to wrap when they are extended, and max(1, n) is taken
 * for n.
 */
#include "detect/host/steps/whole.h"

#include "detect/common/affine.h"
#include "detect/common/flow.h"
#include "detect/host/after.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_CELLS = 64, /* between two grids of one array, along a dimension */
    MOST_ELEMENTS = 4096
};

typedef struct array {
    poly origin[2]; /* of the first grid that is in it, a buffer each */
    poly stride[ST_MAX_RANK];
    int32_t at[ST_MAX_RANK]; /* the cell that is there */
    bool placed;             /* `at` is known */
    bool settled;            /* and is what a sweep that writes it wants */
} array;

/* `first` and `last` bound the sweep's domain by the program's indices, `last` less the extent that
 * all sweeps have in common. So both are of a layer at the high face. */
typedef struct sweep {
    int32_t first[ST_MAX_RANK], last[ST_MAX_RANK];
    uint32_t high; /* bit d: it is a layer at the high face of d */
} sweep;

typedef struct whole {
    const host_steps *s;
    st_step *step;
    array arrays[ST_MAX_ARRAYS];
    sweep sweeps[ST_MAX_SWEEPS];
    poly extent[ST_MAX_RANK]; /* of the first sweep that has all dimensions */
    const char *why;
} whole;

static bool refuse(whole *w, const char *why) {
    w->why = why;
    return false;
}

/* Loose values */

static poly loose(br_function *f, br_scev s);

static poly loose_operands(br_function *f, br_scev s, bool product) {
    poly all = poly_int(f, product);
    for (size_t i = 0; i < br_scev_count(s); i++) {
        poly one = loose(f, br_scev_operand(s, i));
        all = product ? poly_mul(all, one) : poly_add(all, one);
    }
    return all;
}

static bool is_constant(br_scev s) {
    return br_scev_kind(s) == BR_CONSTANT;
}

static poly loose(br_function *f, br_scev s) {
    enum br_scev_kind kind = br_scev_kind(s);
    int64_t value;
    if (kind == BR_CONSTANT && br_scev_int(s, &value))
        return poly_int(f, value);
    if (kind == BR_ADD || kind == BR_MUL)
        return loose_operands(f, s, kind == BR_MUL);
    if (kind == BR_ZEXT || kind == BR_SEXT || kind == BR_TRUNC)
        return loose(f, br_scev_operand(s, 0));
    bool greatest = (kind == BR_SMAX || kind == BR_UMAX) && br_scev_count(s) == 2;
    if (greatest && is_constant(br_scev_operand(s, 0)))
        return loose(f, br_scev_operand(s, 1));
    return poly_atom(f, s);
}

static poly loosened(br_function *f, poly p) {
    poly all = poly_is_known(p) ? poly_int(f, 0) : p;
    for (int i = 0; i < poly_count(p); i++) {
        const poly_term *t = &poly_terms(p)[i];
        poly product = poly_int(f, t->factor);
        for (int k = 0; k < t->degree; k++)
            product = poly_mul(product, loose(f, t->atoms[k]));
        all = poly_add(all, product);
    }
    return all;
}

/* What a step may not have */

static const char *why_not(const st_stencil *s) {
    for (size_t i = 0; i < s->ngrids; i++) {
        if (s->grids[i].buffers > 2)
            return "more than two buffers rotate";
    }
    return NULL;
}

/* Does what a step reduces decide about the next one? Else the last step alone reduces. */
static bool asks_for_reductions(const host_steps *s) {
    bool reduces = false;
    for (int i = 0; i < s->count; i++)
        reduces |= s->sweeps[i]->nreductions > 0;
    return reduces && host_is_asked(s);
}

static bool check(whole *w) {
    const host_steps *s = w->s;
    if (s->count > ST_MAX_SWEEPS)
        return refuse(w, "the step has too many sweeps");
    if (asks_for_reductions(s))
        return refuse(w, "each step decides by a number of all cells whether the loop goes on, or "
                         "the next one uses it");
    if (s->tables.nuses > 0)
        return refuse(w, "rows are found through tables of pointers");
    for (int i = 0; i < s->count; i++) {
        const char *why = why_not(s->sweeps[i]->stencil);
        if (why)
            return refuse(w, why);
    }
    return true;
}

/* Arrays */

static bool is_same(const st_array *x, const st_grid *g) {
    return x->type == g->type && x->broadcast == g->broadcast && x->advance == g->advance &&
           x->swapped == (g->buffers == 2);
}

/* Grids of a sweep without dimension d may not know how far rows along d are apart. */
static bool has_strides(const array *a, uint32_t flat, const poly stride[ST_MAX_RANK]) {
    bool equal = true;
    for (int d = 0; d < ST_MAX_RANK; d++) {
        bool unknown = (flat >> d & 1) && poly_is_zero(stride[d]);
        equal = equal && (unknown || poly_equal(a->stride[d], stride[d]));
    }
    return equal;
}

/* How many cells are there from the array's origin to `to`? Along the dimensions of `high`, less
 * the common extent. Arrays that do not extend along x have elements, too: w[0], w[1]. */
static bool find_distance(const whole *w, const array *a, poly from, poly to, uint32_t high,
                          int32_t cells[ST_MAX_RANK]) {
    const st_array *x = &w->step->arrays[a - w->arrays];
    poly delta = poly_sub(to, from), unit[ST_MAX_RANK];
    memcpy(unit, a->stride, sizeof unit);
    if (x->broadcast & 1)
        unit[0] = poly_int(w->s->f, (int64_t)st_type_size(x->type));
    for (int d = 0; d < w->step->rank; d++)
        if (high >> d & 1)
            delta = poly_sub(delta, poly_mul(w->extent[d], a->stride[d]));
    return poly_decompose(delta, unit, w->step->rank, x->broadcast & 1 ? MOST_ELEMENTS : MOST_CELLS,
                          cells);
}

/* A grid as find_array sees it. */
typedef struct place {
    const poly *origin;
    int buffers;
    uint32_t flat; /* dimensions that its sweep lacks */
    /* Found: */
    int32_t cells[ST_MAX_RANK];
    uint32_t high;
    bool crossed; /* its buffers are the array's in the other order */
} place;

static bool is_there(const whole *w, const array *a, place *p) {
    int32_t second[ST_MAX_RANK] = {0};
    size_t size = (size_t)w->step->rank * sizeof *second;
    for (int other = 0; other < p->buffers; other++) {
        bool in = find_distance(w, a, a->origin[0], p->origin[other], p->high, p->cells) &&
                  (p->buffers == 1 ||
                   find_distance(w, a, a->origin[1], p->origin[1 - other], p->high, second));
        p->crossed = other;
        if (in && (p->buffers == 1 || !memcmp(p->cells, second, size)))
            return true;
    }
    return false;
}

/* A layer at the high face that begins behind the end of the array's rows (planes). */
static bool is_past_end(const whole *w, const array *a, const place *p, int d) {
    int64_t past;
    if (d + 1 >= w->step->rank)
        return false;
    poly last = poly_plus(w->s->f, w->extent[d], a->at[d] + p->cells[d] + 1);
    poly more = poly_sub(poly_mul(last, a->stride[d]), a->stride[d + 1]);
    return poly_is_int(more, &past) ? past > 0 : p->cells[d] > a->at[d];
}

/* How far from being the likely place? Cells before the array's start are not, nor those past the
 * end of a row. */
static int unlikely(const whole *w, const array *a, const place *p) {
    enum { FAR = 4 * MOST_CELLS };
    int sum = 0;
    for (int d = 0; d < w->step->rank; d++) {
        bool high = p->high >> d & 1, before = !high && a->at[d] + p->cells[d] < 0;
        bool outside = a->placed && (before || (high && is_past_end(w, a, p, d)));
        sum += abs(p->cells[d]) + (outside ? FAR : 0);
    }
    return sum;
}

/* Is the grid in the array, perhaps in layers at high faces? The likeliest place: the last cell of
 * a row is also one cell before the next row. */
static bool is_in(const whole *w, const array *a, place *p) {
    place best = {.origin = p->origin, .buffers = p->buffers, .flat = p->flat};
    bool found = false;
    for (p->high = 0; p->high < 1u << w->step->rank; p->high++) {
        if ((p->high & ~p->flat) || !is_there(w, a, p))
            continue;
        if (!found || unlikely(w, a, p) < unlikely(w, a, &best))
            best = *p;
        found = true;
    }
    *p = best;
    return found;
}

/* The other buffer's turn: the same grid with its levels exchanged. */
static void exchange_buffers(host_region *r, size_t grid) {
    st_stencil *s = r->stencil;
    poly first = r->grids[grid].origin[0];
    r->grids[grid].origin[0] = r->grids[grid].origin[1];
    r->grids[grid].origin[1] = first;
    for (size_t i = 0; i < s->naccesses; i++)
        if (s->accesses[i].grid == (int32_t)grid)
            s->accesses[i].level = !(s->accesses[i].level & 1);
    if (s->store_grid == (int32_t)grid)
        s->store_level = !(s->store_level & 1);
    for (size_t i = 0; i < s->nalso; i++)
        if (s->also[i].grid == (int32_t)grid)
            s->also[i].level = !(s->also[i].level & 1);
}

/* The program's indices at the array's origin, if that can be told. */
static void place_by_base(whole *w, array *a) {
    LLVMValueRef base = host_base_pointer(a->origin[0]);
    if (!base)
        return;
    poly delta = poly_sub(a->origin[0], poly_atom(w->s->f, br_scev_of(w->s->f, base)));
    a->placed = poly_decompose(delta, a->stride, w->step->rank, MOST_CELLS, a->at);
}

static bool add_array(whole *w, const st_grid *g, const poly origin[2], const poly stride[],
                      int32_t *number) {
    char name[32];
    if (w->step->narrays == ST_MAX_ARRAYS)
        return refuse(w, "the step has too many arrays");
    array *a = &w->arrays[w->step->narrays];
    memcpy(a->origin, origin, sizeof a->origin);
    memcpy(a->stride, stride, sizeof a->stride);
    place_by_base(w, a);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(g->name, "'"), g->name);
    *number = st_step_add_array(w->step, name, g->type);
    w->step->arrays[*number].broadcast = g->broadcast;
    w->step->arrays[*number].advance = g->advance;
    w->step->arrays[*number].swapped = g->buffers == 2;
    return true;
}

/* Of a grid: its view gets the array, and `at` the distance from the array's origin. */
static bool find_array(whole *w, int number, size_t grid, uint32_t *high) {
    host_region *r = w->s->sweeps[number];
    st_view *view = &w->step->sweeps[number].views[grid];
    const st_grid *g = &r->stencil->grids[grid];
    poly origin[2] = {NULL, NULL}, stride[ST_MAX_RANK];
    place p = {.origin = origin, .buffers = (int)g->buffers, .flat = r->stencil->flat};
    int32_t found = -1;
    for (uint32_t k = 0; k < g->buffers; k++)
        origin[k] = loosened(r->f, r->grids[grid].origin[k]);
    for (int d = 0; d < ST_MAX_RANK; d++)
        stride[d] =
            g->broadcast >> d & 1 ? poly_int(r->f, 0) : loosened(r->f, r->grids[grid].stride[d]);
    for (size_t i = 0; i < w->step->narrays && found < 0; i++)
        if (is_same(&w->step->arrays[i], g) && has_strides(&w->arrays[i], p.flat, stride) &&
            is_in(w, &w->arrays[i], &p))
            found = (int32_t)i;
    if (found < 0 && p.flat && !g->advance)
        return refuse(w, "a sweep of fewer dimensions has an array that the others have not");
    if (found < 0 && !add_array(w, g, origin, stride, &found))
        return false;
    if (p.crossed)
        exchange_buffers(r, grid);
    *high = p.high;
    for (int k = 0; k < ST_MAX_BUFFERS; k++)
        view->array[k] = found;
    memcpy(view->at, p.cells, sizeof view->at);
    return true;
}

/* Along a dimension that it lacks, a sweep is a layer at one face: all its grids say at which, but
 * those that extend along none. */
static bool find_arrays_of(whole *w, int number) {
    const st_stencil *s = w->s->sweeps[number]->stencil;
    uint32_t high, all = (1u << w->step->rank) - 1;
    bool told = false;
    for (size_t g = 0; g < s->ngrids; g++) {
        if (!find_array(w, number, g, &high))
            return false;
        if (s->grids[g].broadcast == all)
            continue;
        if (told && high != w->sweeps[number].high)
            return refuse(w, "a sweep has cells at opposite faces");
        w->sweeps[number].high = high;
        told = true;
    }
    return true;
}

/* Sweeps of all dimensions first. */
static bool find_arrays(whole *w) {
    for (int layers = 0; layers < 2; layers++)
        for (int i = 0; i < w->s->count; i++)
            if ((w->s->sweeps[i]->stencil->flat != 0) == layers && !find_arrays_of(w, i))
                return false;
    return true;
}

/* What is written: arrays of one buffer, and the second one of two. The first is found by who
 * writes it. */

static int32_t *level_written(st_stencil *s, int32_t grid) {
    if (s->store_grid == grid && !s->stores_nothing)
        return &s->store_level;
    for (size_t i = 0; i < s->nalso; i++)
        if (s->also[i].grid == grid)
            return &s->also[i].level;
    return NULL;
}

/* All grids of the array, so that level 1 is what the first sweep to write it writes. */
static void turn_levels(whole *w, size_t array) {
    int32_t *level = NULL;
    for (int i = 0; i < w->s->count && !level; i++)
        for (size_t g = 0; g < w->step->sweeps[i].stencil->ngrids && !level; g++)
            if (w->step->sweeps[i].views[g].array[0] == (int32_t)array)
                level = level_written(w->s->sweeps[i]->stencil, (int32_t)g);
    if (!level || (*level & 1))
        return;
    for (int i = 0; i < w->s->count; i++)
        for (size_t g = 0; g < w->step->sweeps[i].stencil->ngrids; g++)
            if (w->step->sweeps[i].views[g].array[0] == (int32_t)array)
                exchange_buffers(w->s->sweeps[i], g);
}

/* Of one sweep, all of whose levels become 0 or 1. */
static bool check_levels(whole *w, int number) {
    st_stencil *s = w->s->sweeps[number]->stencil;
    const st_view *views = w->step->sweeps[number].views;
    for (size_t i = 0; i < s->naccesses; i++) {
        const st_array *a = &w->step->arrays[views[s->accesses[i].grid].array[0]];
        s->accesses[i].level &= a->swapped;
    }
    for (size_t g = 0; g < s->ngrids; g++) {
        st_array *a = &w->step->arrays[views[g].array[0]];
        int32_t *level = level_written(s, (int32_t)g);
        if (level && a->swapped && !(*level & 1))
            return refuse(w, "both buffers of an array are written");
        if (level)
            *level &= a->swapped;
        a->written |= level != NULL;
    }
    return true;
}

static bool find_written(whole *w) {
    for (size_t i = 0; i < w->step->narrays; i++)
        if (w->step->arrays[i].swapped)
            turn_levels(w, i);
    for (int i = 0; i < w->s->count; i++)
        if (!check_levels(w, i))
            return false;
    for (size_t i = 0; i < w->step->narrays; i++)
        if (w->step->arrays[i].swapped && !w->step->arrays[i].written)
            return refuse(w, "arrays that are only read take turns");
    return true;
}

/* Domains */

static bool is_whole(const whole *w, int number) {
    return w->s->sweeps[number]->stencil->flat == 0;
}

static void find_extent(const host_region *r, poly extent[ST_MAX_RANK]) {
    for (int d = 0; d < ST_MAX_RANK; d++)
        extent[d] = poly_int(r->f, 1);
    for (int i = 0; i < r->axes; i++) {
        int more = !host_tests_first(r->loops[i]) - r->left_out[i][0] - r->left_out[i][1];
        extent[r->dim_of_loop[i]] = poly_plus(r->f, loose(r->f, r->count[i]), more);
    }
    for (int d = 0; d < ST_MAX_RANK; d++)
        if (r->implied >> d & 1)
            extent[d] = loosened(r->f, r->implied_extent[d]);
}

static bool find_common_extent(whole *w) {
    int first = 0;
    while (first < w->s->count && !is_whole(w, first))
        first++;
    if (first == w->s->count)
        return refuse(w, "no sweep has all dimensions");
    find_extent(w->s->sweeps[first], w->extent);
    return true;
}

/* `last` becomes how much longer than the common extent the sweep is; of a layer, 1. */
static bool find_extents(whole *w, int number) {
    poly extent[ST_MAX_RANK];
    sweep *x = &w->sweeps[number];
    uint32_t flat = w->s->sweeps[number]->stencil->flat;
    find_extent(w->s->sweeps[number], extent);
    for (int d = 0; d < w->step->rank; d++) {
        int64_t more = 1;
        poly less = poly_sub(extent[d], w->extent[d]);
        if (!(flat >> d & 1) &&
            (!poly_is_int(less, &more) || more > MOST_CELLS || more < -MOST_CELLS))
            return refuse(w, "the sweeps' extents do not differ by constants");
        x->last[d] = (int32_t)more;
    }
    return true;
}

/* The sweep's first cell, by an array that has its place. */
static bool place_by(whole *w, int number, size_t grid) {
    const st_view *v = &w->step->sweeps[number].views[grid];
    const array *a = &w->arrays[v->array[0]];
    if (!a->placed || w->step->arrays[v->array[0]].broadcast)
        return false;
    for (int d = 0; d < w->step->rank; d++)
        w->sweeps[number].first[d] = a->at[d] + v->at[d];
    return true;
}

static void place_sweep(whole *w, int number) {
    st_stencil *s = w->s->sweeps[number]->stencil;
    sweep *x = &w->sweeps[number];
    bool placed = false;
    for (size_t g = 0; g < s->ngrids && !placed; g++) /* that an earlier sweep writes */
        placed = w->arrays[w->step->sweeps[number].views[g].array[0]].settled &&
                 level_written(s, (int32_t)g) && place_by(w, number, g);
    placed = placed || place_by(w, number, (size_t)s->store_grid);
    for (size_t g = 0; g < s->ngrids && !placed; g++)
        placed = place_by(w, number, g);
    for (size_t g = 0; g < s->ngrids; g++) {
        const st_view *v = &w->step->sweeps[number].views[g];
        array *a = &w->arrays[v->array[0]];
        bool stays = a->placed && (a->settled || !level_written(s, (int32_t)g));
        for (int d = 0; d < w->step->rank && !stays; d++)
            a->at[d] = x->first[d] - v->at[d];
        a->placed = true;
        a->settled |= level_written(s, (int32_t)g) != NULL;
    }
    for (int d = 0; d < w->step->rank; d++)
        x->last[d] += x->first[d];
}

static int32_t least(int32_t a, int32_t b) {
    return a < b ? a : b;
}
static int32_t most(int32_t a, int32_t b) {
    return a > b ? a : b;
}

/* From the distance to the array's origin to the distance from the sweep's cell. */
static void settle_views(whole *w, int number) {
    st_sweep *x = &w->step->sweeps[number];
    for (size_t g = 0; g < x->stencil->ngrids; g++) {
        const array *a = &w->arrays[x->views[g].array[0]];
        uint32_t broadcast = w->step->arrays[x->views[g].array[0]].broadcast;
        for (int d = 0; d < w->step->rank; d++) {
            if (!(broadcast >> d & 1))
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
static void add_sweep(const whole *w, int number, int d, bounds *box) {
    const sweep *y = &w->sweeps[number];
    const st_sweep *x = &w->step->sweeps[number];
    bool layer = x->stencil->flat >> d & 1, high = y->high >> d & 1;
    for (size_t g = 0; g < x->stencil->ngrids; g++) {
        bool written = level_written(x->stencil, (int32_t)g);
        int32_t at = written ? x->views[g].at[d] : 0;
        if (!layer || !high)
            box->lo = least(box->lo, y->first[d] + least(at, 0));
        if (!layer || high)
            box->hi = most(box->hi, y->last[d] + most(at, 0));
    }
}

static void set_domain(whole *w, int number, int d, const bounds *box) {
    const sweep *y = &w->sweeps[number];
    st_sweep *x = &w->step->sweeps[number];
    bool layer = x->stencil->flat >> d & 1, high = y->high >> d & 1;
    x->at_low |= (uint32_t)(layer && !high) << d;
    x->at_high |= (uint32_t)(layer && high) << d;
    x->low[d] = layer && high ? box->hi - y->first[d] : y->first[d] - box->lo;
    x->high[d] = layer && !high ? y->last[d] - box->lo : box->hi - y->last[d];
}

static void find_box(whole *w) {
    for (int d = 0; d < w->step->rank; d++) {
        bounds box = {INT32_MAX, INT32_MIN};
        for (int i = 0; i < w->s->count; i++)
            add_sweep(w, i, d, &box);
        for (int i = 0; i < w->s->count; i++)
            set_domain(w, i, d, &box);
    }
}

static bool find_domains(whole *w) {
    for (int i = 0; i < w->s->count; i++)
        if (!find_extents(w, i))
            return false;
    for (int layers = 0; layers < 2; layers++)
        for (int i = 0; i < w->s->count; i++)
            if (is_whole(w, i) == !layers)
                place_sweep(w, i);
    for (int i = 0; i < w->s->count; i++)
        settle_views(w, i);
    find_box(w);
    return true;
}

/* What exchange_buffers changes, to be put back where there is no whole step. */

typedef struct kept {
    int32_t *levels;
    poly *origins;
} kept;

static size_t count_levels(const st_stencil *s) {
    return s->naccesses + s->nalso + 1;
}

static int32_t *level_number(st_stencil *s, size_t i) {
    return i < s->naccesses              ? &s->accesses[i].level
           : i < s->naccesses + s->nalso ? &s->also[i - s->naccesses].level
                                         : &s->store_level;
}

static kept keep(host_region *r) {
    st_stencil *s = r->stencil;
    kept k = {calloc(count_levels(s), sizeof *k.levels), calloc(2 * s->ngrids, sizeof *k.origins)};
    for (size_t i = 0; i < count_levels(s); i++)
        k.levels[i] = *level_number(s, i);
    for (size_t i = 0; i < 2 * s->ngrids; i++)
        k.origins[i] = r->grids[i / 2].origin[i % 2];
    return k;
}

static void put_back(host_region *r, const kept *k) {
    for (size_t i = 0; i < count_levels(r->stencil); i++)
        *level_number(r->stencil, i) = k->levels[i];
    for (size_t i = 0; i < 2 * r->stencil->ngrids; i++)
        r->grids[i / 2].origin[i % 2] = k->origins[i];
}

/* Two buffers of which a step reads also the one that it writes, before it does: u[t+1] of u[t] and
 * u[t-1]. */

static bool writes_array(const whole *w, int number, size_t array) {
    const st_sweep *x = &w->step->sweeps[number];
    for (size_t g = 0; g < x->stencil->ngrids; g++)
        if (x->views[g].array[0] == (int32_t)array &&
            level_written(w->s->sweeps[number]->stencil, (int32_t)g))
            return true;
    return false;
}

static bool reads_older(const whole *w, size_t array) {
    bool written = false, reads = false;
    for (int i = 0; i < w->s->count && !written; i++) {
        const st_stencil *s = w->s->sweeps[i]->stencil;
        for (size_t k = 0; k < s->naccesses; k++)
            reads |= s->accesses[k].level == 1 &&
                     w->step->sweeps[i].views[s->accesses[k].grid].array[0] == (int32_t)array;
        written = writes_array(w, i, array);
    }
    return reads;
}

/* The array becomes level 0 alone; a new one is level 1. */
static bool part_buffers(whole *w, size_t array) {
    if (w->step->narrays == ST_MAX_ARRAYS)
        return refuse(w, "the step has too many arrays");
    char name[32];
    snprintf(name, sizeof name, "%.20s older", w->step->arrays[array].name);
    int32_t older = st_step_add_array(w->step, name, w->step->arrays[array].type);
    st_array *x = &w->step->arrays[array], *y = &w->step->arrays[older];
    y->broadcast = x->broadcast;
    y->written = true;
    x->written = x->swapped = false;
    x->becomes = older;
    y->becomes = (int32_t)array;
    for (size_t i = 0; i < w->step->nsweeps; i++)
        for (size_t g = 0; g < w->step->sweeps[i].stencil->ngrids; g++)
            if (w->step->sweeps[i].views[g].array[0] == (int32_t)array)
                w->step->sweeps[i].views[g].array[1] = older;
    return true;
}

static bool part_arrays(whole *w) {
    size_t count = w->step->narrays;
    for (size_t i = 0; i < count; i++)
        if (w->step->arrays[i].swapped && w->step->arrays[i].written && reads_older(w, i) &&
            !part_buffers(w, i))
            return false;
    return true;
}

static bool find_whole(whole *w) {
    if (!check(w) || !find_common_extent(w) || !find_arrays(w) || !find_written(w) ||
        !find_domains(w) || !part_arrays(w))
        return false;
    w->why = st_step_why_not_whole(w->step);
    return w->why == NULL;
}

/* Of sweeps that have been added. */
static void find_arrays_of_step(whole *w) {
    kept *all = calloc((size_t)w->s->count, sizeof *all);
    for (int i = 0; i < w->s->count; i++)
        all[i] = keep(w->s->sweeps[i]);
    if (!find_whole(w)) {
        for (int i = 0; i < w->s->count; i++)
            put_back(w->s->sweeps[i], &all[i]);
        st_step_forget_arrays(w->step, w->why);
    }
    for (int i = 0; i < w->s->count; i++) {
        free(all[i].levels);
        free(all[i].origins);
    }
    free(all);
}

static st_step *step_of(host_region *const *sweeps, size_t count, int rank, const char *where) {
    st_step *step = st_step_create(rank);
    snprintf(step->where, sizeof step->where, "%s", where);
    for (size_t i = 0; i < count; i++)
        st_step_add_sweep(step, sweeps[i]->stencil);
    return step;
}

st_step *host_step_of_sweeps(const host_steps *s) {
    whole *w = calloc(1, sizeof *w);
    w->s = s;
    st_step *step = w->step = step_of(s->sweeps, (size_t)s->count, s->rank, s->where);
    find_arrays_of_step(w);
    free(w);
    return step;
}

st_step *host_step_of(host_region *r) {
    if (r->steps)
        return host_step_of_sweeps(r->steps);
    st_step *step = step_of(&r, 1, r->stencil->rank, r->stencil->where);
    step->single = true;
    step->unknown = "the step is a single sweep";
    r->stencil->one_halo = r->copies_back; /* both buffers have that of the array copied to */
    return step;
}
