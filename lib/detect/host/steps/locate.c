/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which grids of different sweeps are one array, and where the grids lie in it.
 *
 * Grids are one array if their origins are a constant number of cells, rows and planes apart. A
 * sweep of a single cell, u[i0][j0], may be anywhere in an array of the same base pointer. All
 * other grids are taken for different arrays. An array's cells are named by the program's indices
 * where these can be told: by the distance of the grid's origin from the base pointer.
 */
#include "detect/host/steps/loose.h"
#include "detect/host/steps/parts.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ELEMENTS = 4096 };

bool host_is_trace(const st_stencil *s, size_t grid) {
    return s->grids[grid].along && s->grids[grid].along <= (uint32_t)s->rank &&
           !st_reads_grid(s, (int32_t)grid) && s->nalso == 0 && s->nreductions == 0 && s->flat != 0;
}

static bool is_same(const st_array *x, const st_grid *g) {
    return !x->trace && !g->along && x->type == g->type && x->broadcast == g->broadcast &&
           x->advance == g->advance && x->swapped == (g->buffers > 1);
}

/* Grids of a sweep without dimension d may not know how far rows along d are apart. */
static bool has_strides(const host_whole_array *a, uint32_t flat, const poly stride[ST_MAX_RANK]) {
    bool equal = true;
    for (int d = 0; d < ST_MAX_RANK; d++) {
        bool unknown = (flat >> d & 1) && poly_is_zero(stride[d]);
        equal = equal && (unknown || poly_equal(a->stride[d], stride[d]));
    }
    return equal;
}

/* How many cells are there from the array's origin to `to`? Along the dimensions of `high`, less
 * the common extent. Arrays that do not extend along x have elements, too: w[0], w[1]. */
static bool find_distance(const host_whole *w, const host_whole_array *a, poly from, poly to,
                          uint32_t high, int32_t cells[ST_MAX_RANK]) {
    const st_array *x = &w->step->arrays[a - w->arrays];
    poly delta = poly_sub(to, from), unit[ST_MAX_RANK];
    memcpy(unit, a->stride, sizeof unit);
    if (x->broadcast & 1)
        unit[0] = poly_int(w->s->f, (int64_t)st_type_size(x->type));
    for (int d = 0; d < w->step->rank; d++)
        if (high >> d & 1)
            delta = poly_sub(delta, poly_mul(w->extent[d], a->stride[d]));
    return poly_decompose(delta, unit, w->step->rank,
                          x->broadcast & 1 ? MOST_ELEMENTS : HOST_MOST_CELLS, cells);
}

/* A grid as find_array sees it. */
typedef struct place {
    const poly *origin;
    int buffers;
    uint32_t flat; /* dimensions that its sweep lacks */
    /* Found: */
    int32_t cells[ST_MAX_RANK];
    uint32_t high;
    int turned; /* its buffer so many on is the array's first */
} place;

static bool is_there(const host_whole *w, const host_whole_array *a, place *p) {
    int32_t other[ST_MAX_RANK] = {0};
    size_t size = (size_t)w->step->rank * sizeof *other;
    bool in = false;
    for (int turn = 0; turn < p->buffers && !in; turn++) {
        in = find_distance(w, a, a->origin[0], p->origin[turn], p->high, p->cells);
        for (int k = 1; k < p->buffers && in; k++)
            in = find_distance(w, a, a->origin[k], p->origin[(turn + k) % p->buffers], p->high,
                               other) &&
                 !memcmp(p->cells, other, size);
        p->turned = turn;
    }
    return in;
}

/* A layer at the high face that begins behind the end of the array's rows (planes). */
static bool is_past_end(const host_whole *w, const host_whole_array *a, const place *p, int d) {
    int64_t past;
    if (d + 1 >= w->step->rank)
        return false;
    poly last = poly_plus(w->s->f, w->extent[d], a->at[d] + p->cells[d] + 1);
    poly more = poly_sub(poly_mul(last, a->stride[d]), a->stride[d + 1]);
    return poly_is_int(more, &past) ? past > 0 : p->cells[d] > a->at[d];
}

/* How far from being the likely place? Cells before the array's start are not, nor those past the
 * end of a row. */
static int unlikely(const host_whole *w, const host_whole_array *a, const place *p) {
    enum { FAR = 4 * HOST_MOST_CELLS };
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
static bool is_in(const host_whole *w, const host_whole_array *a, place *p) {
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

static bool has_product(poly p, const poly_term *t) {
    bool found = false;
    for (int i = 0; i < poly_count(p); i++)
        found |= poly_terms(p)[i].degree == t->degree && poly_terms(p)[i].atoms == t->atoms;
    return found;
}

/* The distance without what is no number of cells and rows: the array may be one of several in a
 * larger one, h[1][i][j]. */
static poly inside_array(const host_whole *w, const host_whole_array *a, poly delta) {
    poly inside = poly_int(w->s->f, 0);
    for (int i = 0; i < poly_count(delta); i++) {
        const poly_term *t = &poly_terms(delta)[i];
        bool kept = t->degree == 0;
        for (int d = 0; d < w->step->rank; d++)
            kept |= has_product(a->stride[d], t);
        if (kept)
            inside = poly_add(inside, poly_term_as(delta, i, t->factor));
    }
    return inside;
}

/* The program's indices at the array's origin, if that can be told. */
static void place_by_base(host_whole *w, host_whole_array *a) {
    LLVMValueRef base = host_base_pointer(a->origin[0]);
    if (!base)
        return;
    poly delta = poly_sub(a->origin[0], poly_atom(w->s->f, br_scev_of(w->s->f, base)));
    delta = inside_array(w, a, delta);
    a->placed = poly_decompose(delta, a->stride, w->step->rank, HOST_MOST_CELLS, a->at);
}

static bool add_array(host_whole *w, const st_grid *g, const poly origin[], const poly stride[],
                      int32_t *number) {
    char name[32];
    if (w->step->narrays == ST_MAX_ARRAYS)
        return host_whole_refuse(w, "the step has too many arrays");
    host_whole_array *a = &w->arrays[w->step->narrays];
    memcpy(a->origin, origin, sizeof a->origin);
    a->buffers = (int)g->buffers;
    memcpy(a->stride, stride, sizeof a->stride);
    place_by_base(w, a);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(g->name, "'"), g->name);
    *number = st_step_add_array(w->step, name, g->type);
    w->step->arrays[*number].broadcast = g->broadcast;
    w->step->arrays[*number].advance = g->advance;
    w->step->arrays[*number].swapped = g->buffers > 1;
    w->step->arrays[*number].trace = g->along != 0;
    if (g->along)
        w->step->arrays[*number].broadcast = (1u << w->step->rank) - 1;
    return true;
}

/* Is the cell in the array, though its distance from the array's origin is no constant? It is if
 * both have the same base pointer and the distance is the same in all buffers. Several arrays may
 * have this base pointer: u[0] and u[1] of one block. The distance from the right one has the
 * fewest terms, so *terms gets their number. */
static bool has_cell(const host_whole_array *a, place *p, int *terms) {
    bool found = false;
    for (int turn = 0; turn < p->buffers && !found; turn++) {
        poly delta = poly_sub(p->origin[turn], a->origin[0]);
        LLVMValueRef base = host_base_pointer(a->origin[0]);
        found = base && base == host_base_pointer(p->origin[turn]);
        for (int k = 1; k < p->buffers && found; k++)
            found = poly_equal(delta, poly_sub(p->origin[(turn + k) % p->buffers], a->origin[k]));
        p->turned = turn;
        *terms = poly_count(delta);
    }
    return found;
}

static int32_t find_array_of_cell(const host_whole *w, const st_grid *g, const poly stride[],
                                  place *p) {
    int32_t found = -1;
    int least = INT32_MAX, terms, turned = 0;
    for (size_t i = 0; i < w->step->narrays; i++) {
        const host_whole_array *a = &w->arrays[i];
        if (!is_same(&w->step->arrays[i], g) || a->buffers != p->buffers ||
            !has_strides(a, p->flat, stride) || !has_cell(a, p, &terms) || terms >= least)
            continue;
        found = (int32_t)i;
        least = terms;
        turned = p->turned;
    }
    p->turned = turned;
    return found;
}

/* Tables of rows. A row whose number the time loop does not change, a[0] or a[n - 1], is a pointer
 * that is loaded in front of the region: here it becomes the row in its table. */

static bool find_row(const host_whole *w, br_scev s, poly *out) {
    const host_tables *all = &w->s->tables;
    br_function *f = w->s->f;
    LLVMValueRef v = br_scev_kind(s) == BR_UNKNOWN ? br_scev_value(s) : NULL,
                 apart = all->distance[1];
    bool found = false;
    br_scev from = v && apart && w->s->loaded_from ? w->s->loaded_from(w->s->loads, v) : NULL;
    if (!from)
        return false;
    poly address = host_loose(f, from);
    for (int i = 0; i < all->count && !found; i++) {
        const host_table *t = &all->table[i];
        poly number = poly_sub(address, host_loosened(f, t->base));
        if (t->planes || !poly_is_known(number) || !poly_exact(number, t->step[1], &number))
            continue;
        *out = poly_mul(number, poly_atom(f, br_scev_of(f, apart)));
        *out = poly_add(*out, poly_atom(f, br_scev_of(f, t->rows)));
        found = true;
    }
    return found;
}

static poly as_in_tables(const host_whole *w, poly origin) {
    poly all = poly_is_known(origin) ? poly_int(w->s->f, 0) : origin, row;
    for (int i = 0; i < poly_count(origin); i++) {
        const poly_term *t = &poly_terms(origin)[i];
        bool is_row = t->degree == 1 && t->factor == 1 && find_row(w, t->atoms[0], &row);
        all = poly_add(all, is_row ? row : poly_term_as(origin, i, t->factor));
    }
    return all;
}

/* Finds a grid's array. The view of the grid gets the array, and `at` the distance from the array's
 * origin. */
static bool find_array(host_whole *w, int number, size_t grid, uint32_t *high) {
    host_region *r = w->s->sweeps[number];
    st_view *view = &w->step->sweeps[number].views[grid];
    const st_grid *g = &r->stencil->grids[grid];
    poly origin[ST_MAX_BUFFERS] = {NULL}, stride[ST_MAX_RANK];
    place p = {.origin = origin, .buffers = (int)g->buffers, .flat = r->stencil->flat};
    int32_t found = -1;
    for (uint32_t k = 0; k < g->buffers; k++)
        origin[k] = as_in_tables(w, host_loosened(r->f, r->grids[grid].origin[k]));
    for (int d = 0; d < ST_MAX_RANK; d++)
        stride[d] = g->broadcast >> d & 1 ? poly_int(r->f, 0)
                                          : host_loosened(r->f, r->grids[grid].stride[d]);
    place best = p;
    for (size_t i = 0; i < w->step->narrays; i++) {
        const host_whole_array *a = &w->arrays[i];
        if (!is_same(&w->step->arrays[i], g) || a->buffers != p.buffers ||
            !has_strides(a, p.flat, stride) || !is_in(w, a, &p))
            continue;
        if (found >= 0 && unlikely(w, a, &p) >= unlikely(w, &w->arrays[found], &best))
            continue;
        found = (int32_t)i;
        best = p;
    }
    p = best;
    if (found < 0 && p.flat == (1u << w->step->rank) - 1 && !g->along) {
        found = find_array_of_cell(w, g, stride, &p);
        w->sweeps[number].placed |= found >= 0;
    }
    if (found < 0 && p.flat && !g->advance && !g->along)
        return host_whole_refuse(
            w, "a sweep of fewer dimensions has an array that the others have not");
    if (found < 0 && !add_array(w, g, origin, stride, &found))
        return false;
    host_turn_buffers(r, grid, p.turned);
    *high = p.high;
    for (int k = 0; k < ST_MAX_BUFFERS; k++)
        view->array[k] = found;
    memcpy(view->at, p.cells, sizeof view->at);
    return true;
}

/* Along a dimension that it lacks, a sweep is a layer at one face: its first store says at which. A
 * grid may be at the opposite one. */
static bool find_arrays_of(host_whole *w, int number) {
    const st_stencil *s = w->s->sweeps[number]->stencil;
    st_view *views = w->step->sweeps[number].views;
    for (size_t g = 0; g < s->ngrids; g++)
        if (!find_array(w, number, g, &views[g].opposite))
            return false;
    w->sweeps[number].high = views[s->store_grid].opposite;
    for (size_t g = 0; g < s->ngrids; g++)
        views[g].opposite = (views[g].opposite ^ w->sweeps[number].high) & ~s->grids[g].broadcast;
    return true;
}

/* Sweeps of all dimensions first. */
bool host_find_step_arrays(host_whole *w) {
    for (int layers = 0; layers < 2; layers++)
        for (int i = 0; i < w->s->count; i++)
            if ((w->s->sweeps[i]->stencil->flat != 0) == layers && !find_arrays_of(w, i))
                return false;
    return true;
}
