/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Accesses: from addresses to grids, levels and offsets.
 *
 * An access belongs to a grid if, in every step of the period, it is a few strides away from the
 * same buffer of it: that gives its level and its offset. What cannot be matched is another grid;
 * the runtime checks that it does not overlap the one written.
 */
#include "detect/host/access.h"
#include "detect/common/affine.h"
#include "detect/common/calls.h"
#include "detect/common/limits.h"
#include "detect/host/address.h"
#include "detect/host/ends.h"
#include "detect/host/nest.h"
#include "detect/host/region.h"
#include "detect/host/tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Does a store of one of several sweeps move on from one time step to the next, as trace[t] = u[i]
 * does? Then 1 + the dimension along which it moves on by a cell: one that the sweep does not walk.
 * 0: it does not; -1: there is no such dimension. */
static int along_of(const host_region *r, const host_affine at[], st_type type) {
    uint32_t walked = 0;
    int64_t bytes;
    if (!r->steps || poly_is_zero(at->step[r->axes]))
        return 0;
    for (int i = 0; i < r->axes; i++)
        walked |= 1u << r->dim_of_loop[i];
    bool near = poly_is_int(at->step[r->axes], &bytes) && bytes == (int64_t)st_type_size(type);
    for (int d = !near; d < ST_MAX_RANK; d++)
        if (!(walked >> d & 1))
            return host_takes_turns(r, at) ? -1 : 1 + d;
    return -1;
}

/* A sweep does not walk the dimensions along which it has one cell: their strides are those that
 * other sweeps have for the same array. */
static void strides_of(const host_region *r, const host_affine *at, st_type type,
                       poly stride[ST_MAX_RANK]) {
    const host_array *known =
        r->steps ? host_known_array(r->steps, host_base_pointer(at->base)) : NULL;
    for (int d = 0; d < ST_MAX_RANK; d++) {
        bool flat = d < r->stencil->rank && r->stencil->flat >> d & 1;
        stride[d] = flat && d == 0  ? poly_int(r->f, (int64_t)st_type_size(type))
                    : flat && known ? known->stride[d]
                                    : NULL;
    }
    for (int i = 0; i < r->axes; i++)
        stride[r->dim_of_loop[i]] = at->step[i];
}

/* The same of a store, which may move on along dimension `along` - 1. */
static void strides_of_store(const host_region *r, const host_affine *at, st_type type, int along,
                             poly stride[ST_MAX_RANK]) {
    strides_of(r, at, type, stride);
    if (along > 0)
        stride[along - 1] = at->step[r->axes];
}

/* Names the grid after the array's base pointer, where the compiler keeps names; else A, B, ... */
static void name_grid(host_region *r, poly origin, st_grid *g) {
    size_t ignored;
    LLVMValueRef base = host_base_pointer(origin);
    const char *name = base ? LLVMGetValueName2(base, &ignored) : "";
    size_t length = strcspn(name, ".");
    if (length == 0 || length >= sizeof g->name)
        snprintf(g->name, sizeof g->name, "%c",
                 r->steps ? host_array_letter(r->steps, base)
                          : (char)('A' + (int)(r->stencil->ngrids % 26)));
    else
        snprintf(g->name, sizeof g->name, "%.*s", (int)length, name);
    /* Another part of an array that the sweep has a grid in. */
    for (size_t i = 0; i < r->stencil->ngrids && r->steps; i++)
        if (!strcmp(r->stencil->grids[i].name, g->name) && strlen(g->name) + 2 < sizeof g->name) {
            strcat(g->name, "'");
            i = (size_t)-1;
        }
}

/* Elements from a cell of a kernel to the next along x, if not 1; else 0. */
static uint32_t apart_of(const host_region *r, const poly stride[], st_type type) {
    int64_t bytes = 0;
    if (!host_is_apart(r, stride, type))
        return 0;
    poly_is_int(stride[0], &bytes);
    return (uint32_t)(bytes / (int64_t)st_type_size(type));
}

static int32_t new_grid(host_region *r, int buffers, const poly stride[], const poly *origin,
                        st_type type, int level, int32_t advance, int along) {
    st_grid g;
    memset(&g, 0, sizeof g);
    g.type = type;
    g.along = (uint32_t)along;
    g.apart = apart_of(r, stride, type);
    g.buffers = (uint32_t)buffers;
    name_grid(r, origin[0], &g);
    for (int d = 0; d < r->stencil->rank; d++)
        g.broadcast |= (uint32_t)(poly_is_zero(stride[d]) && !(r->stencil->flat >> d & 1)) << d;
    if (advance) {
        g.broadcast = (1u << r->stencil->rank) - 1;
        g.advance = advance;
    } else if (r->steps && !along) {
        uint32_t unknown = r->stencil->flat & ~(uint32_t)r->steps->apart;
        for (int s = 0; s < buffers; s++)
            host_know_array(r->steps, host_base_pointer(origin[s]), type, unknown, stride);
    }
    int32_t number = st_add_grid(r->stencil, g);
    r->grids = realloc(r->grids, r->stencil->ngrids * sizeof *r->grids);
    host_grid *h = &r->grids[number];
    h->loose = false;
    for (int d = 0; d < ST_MAX_RANK; d++)
        h->stride[d] = stride[d];
    for (int s = 0; s < (int)g.buffers; s++)
        h->origin[(s + level) % (int)g.buffers] = origin[s];
    return number;
}

/* Cells. What is farther away than this is rather another part of the array than a neighbour. */
enum { NEAR = 2 * ST_MAX_RADIUS, FAR = 64 };

/* Is the cell in another row or column than the sweep's, but not in both? The end of one row is
 * only a few cells in memory before the start of the next row. */
static bool is_aside(const st_stencil *s, const int32_t k[ST_MAX_RANK]) {
    int others = 0;
    bool aside = false;
    for (int d = 0; d < ST_MAX_RANK; d++) {
        others += k[d] != 0;
        aside |= k[d] != 0 && s->flat >> d & 1;
    }
    return aside && others > 1;
}

/* Along which dimension are cells closest in memory, and how many elements from one to the next,
 * down in memory if negative? 0: not known. */
static int64_t gap_of(const host_region *r, int32_t grid, int *dimension) {
    int64_t least = 0, bytes;
    for (int d = 1; d < r->stencil->rank; d++)
        if (poly_is_int(r->grids[grid].stride[d], &bytes) && bytes != 0 &&
            (least == 0 || llabs(bytes) < llabs(least))) {
            least = bytes;
            *dimension = d;
        }
    return least / (int64_t)st_type_size(r->stencil->grids[grid].type);
}

/* The components of a cell that the sweep has, from the first to the last: those of the grid, and
 * those that are written, of the same array. */
typedef struct components {
    int32_t low, high;
} components;

static void add_component(components *c, int32_t k) {
    c->low = k < c->low ? k : c->low;
    c->high = k > c->high ? k : c->high;
}

static components find_components(const host_region *r, int32_t grid) {
    const st_stencil *s = r->stencil;
    components c = {0, 0};
    int32_t k[ST_MAX_RANK];
    for (size_t i = 0; i < s->naccesses; i++)
        if (s->accesses[i].grid == grid)
            add_component(&c, s->accesses[i].offset[0]);
    for (int32_t g = 0; g < (int32_t)s->ngrids; g++)
        if (st_writes(s, g, 0) || st_writes(s, g, 1))
            if (host_offset_from(r, r->grids[g].origin[0], r->grids[grid].origin[0],
                                 r->grids[grid].stride, s->grids[g].type, NEAR, k))
                add_component(&c, k[1] || k[2] ? 0 : k[0]);
    return c;
}

/* Do the components and this access lie between one cell and the next? The access may count as one
 * of the cell before or behind. Else the runtime cannot tell cells apart. */
static bool fits_in_gap(const host_region *r, st_access *access) {
    int d = 0;
    int64_t gap = gap_of(r, access->grid, &d);
    if (gap == 0)
        return true;
    for (int turn = 0; turn < 3; turn++) {
        int by = turn == 2 ? -1 : turn;
        components c = find_components(r, access->grid);
        add_component(&c, access->offset[0] + (int32_t)(by * gap));
        if (c.high - c.low >= llabs(gap) || (by && r->stencil->flat >> d & 1))
            continue;
        access->offset[0] += (int32_t)(by * gap);
        access->offset[d] -= by;
        return true;
    }
    return false;
}

static bool match_level(host_region *r, int32_t grid, int level, const host_affine at[], int limit,
                        st_access *access) {
    const host_grid *h = &r->grids[grid];
    const st_grid *g = &r->stencil->grids[grid];
    limit = g->broadcast & 1 ? 4096 : limit;
    for (int s = 0; s < r->period; s++) {
        int32_t k[ST_MAX_RANK];
        poly origin = h->origin[(r->phase + s + level) % (int)g->buffers];
        if (!host_offset_from(r, at[s].base, origin, h->stride, g->type, limit, k))
            return false;
        if (is_aside(r->stencil, k) || (s > 0 && memcmp(k, access->offset, sizeof k)))
            return false;
        memcpy(access->offset, k, sizeof k);
    }
    access->grid = grid;
    access->level = level > 1 ? level - (int)g->buffers : level;
    /* Another component than the one written is a grid of its own; so is one that is brought back
     * at the ends. */
    bool aside = r->steps && r->steps->apart && access->offset[0] != 0;
    if (aside && r->match.same_component)
        return false;
    return !aside || (!r->match.end_load && !st_writes(r->stencil, grid, access->level) &&
                      fits_in_gap(r, access));
}

bool host_in_store_grid(host_region *r, const host_affine at[]) {
    int32_t g = r->stencil->store_grid;
    bool found = false;
    st_access ignored;
    for (int level = 0; level < (int)r->stencil->grids[g].buffers && !found; level++)
        found = match_level(r, g, level, at, NEAR, &ignored);
    return found;
}

static bool match_any(host_region *r, const host_affine at[], const poly stride[], st_type type,
                      int32_t advance, int along, int limit, st_access *access) {
    for (int32_t g = 0; g < (int32_t)r->stencil->ngrids; g++) {
        const st_grid *of = &r->stencil->grids[g];
        bool same = of->type == type && of->advance == advance && of->along == (uint32_t)along &&
                    !of->before;
        for (int d = 0; d < ST_MAX_RANK && same; d++)
            same = poly_equal(r->grids[g].stride[d], stride[d]);
        for (int level = 0; same && level < (int)r->stencil->grids[g].buffers; level++)
            if (match_level(r, g, level, at, limit, access))
                return true;
    }
    return false;
}

/* Of several components a grid of the same one comes first. */
static bool match_grid(host_region *r, const host_affine at[], const poly stride[], st_type type,
                       int32_t advance, int along, int limit, st_access *access) {
    r->match.same_component = r->steps && r->steps->apart;
    if (r->match.same_component && match_any(r, at, stride, type, advance, along, limit, access)) {
        r->match.same_component = false;
        return true;
    }
    r->match.same_component = false;
    return match_any(r, at, stride, type, advance, along, limit, access);
}

bool host_find_grid(host_region *r, const host_affine at[], st_type type, const poly stride[],
                    st_access *access) {
    static const int32_t here[ST_MAX_RANK];
    memset(access, 0, sizeof *access);
    return match_grid(r, at, stride, type, 0, 0, 0, access) &&
           !memcmp(access->offset, here, sizeof here);
}

static bool check_strides(host_region *r, const poly stride[], st_type type) {
    int64_t x;
    if (!host_is_apart(r, stride, type) &&
        (!poly_is_int(stride[0], &x) || (x != 0 && x != (int64_t)st_type_size(type))))
        return host_refuse(r, ST_NO_STEP, NULL);
    return true;
}

/* Finds along which dimension a store moves on in each time step. */
static bool find_along(host_region *r, const host_affine at[], st_type type, int *along) {
    *along = along_of(r, at, type);
    return *along >= 0 || host_refuse(r, ST_NO_NOT_AFFINE, "it depends on the time step");
}

/* The address of a store. One that the loops do not reach by strides alone may be so at each of
 * their ends, too. */
static bool address_of_store(host_region *r, LLVMValueRef store, host_affine at[]) {
    return host_store_address(r, LLVMGetOperand(store, 1), at) ||
           (r->why.reason == ST_NO_NOT_AFFINE && host_end_store(r, store, at));
}

/* Where the cell of a nest that stores nothing is, by a load of it or of a neighbour. */
static bool address_of_load(host_region *r, LLVMValueRef load, host_affine at[]) {
    return host_address(r, LLVMGetOperand(load, 0), 0, at) ||
           (r->why.reason == ST_NO_NOT_AFFINE && host_end_load(r, load, at));
}

/* Finds where the statement writes, and which loop walks which dimension. */
static bool store_address(host_region *r, st_type *type) {
    LLVMTypeRef t = LLVMTypeOf(r->measures ? r->store : LLVMGetOperand(r->store, 0));
    char text[HOST_DETAIL];
    host_type_name(t, text, sizeof text);
    bool known = host_type(t, type) && *type != ST_I1;
    if (!known)
        host_refuse(r, ST_NO_ELEMENT_TYPE, text);
    if (!known || !(r->measures ? address_of_load(r, r->store, r->store_at)
                                : address_of_store(r, r->store, r->store_at)))
        return false;
    if (r->steps)
        return host_find_dimensions(r, *type);
    int x = -1, next = 1, rank = r->stencil->rank;
    poly unit = poly_int(r->f, (int64_t)st_type_size(*type));
    for (int i = 0; i < rank && x < 0; i++)
        if (poly_equal(r->store_at[0].step[i], unit))
            x = i;
    for (int i = 0; i < rank && x < 0; i++)
        if (host_is_apart(r, &r->store_at[0].step[i], *type))
            x = i;
    if (x < 0)
        return host_refuse_walk(r, r->store);
    for (int i = 0; i < rank; i++)
        r->dim_of_loop[i] = i == x ? 0 : r->form ? host_dimension_of(r, i, x) : next++;
    return true;
}

static int32_t grid_at(host_region *r, const host_affine at[], st_type type, const poly stride[],
                       int level, int along) {
    poly origin[ST_MAX_BUFFERS];
    for (int s = 0; s < r->period; s++)
        origin[s] = at[s].base;
    int buffers = host_takes_turns(r, at) ? r->period : 1;
    return new_grid(r, buffers, stride, origin, type, level, 0, along);
}

int32_t host_grid_at(host_region *r, const host_affine at[], st_type type, const poly stride[],
                     int level) {
    return grid_at(r, at, type, stride, level, 0);
}

bool host_store_grid(host_region *r) {
    st_type type;
    poly stride[ST_MAX_RANK];
    int along;
    if (!store_address(r, &type) || !find_along(r, r->store_at, type, &along))
        return false;
    if (r->time && !r->steps && !host_takes_turns(r, r->store_at))
        return host_refuse(r, ST_NO_TIME_LOOP, "it writes the same array in every step");
    strides_of_store(r, &r->store_at[0], type, along, stride);
    r->stencil->store_level = r->time && (host_takes_turns(r, r->store_at) || !r->steps) ? 1 : 0;
    r->stencil->store_grid = grid_at(r, r->store_at, type, stride, r->stencil->store_level, along);
    return true;
}

/* Is it another cell of the sweep's than the iteration's own? Cells away along a dimension with one
 * cell are not the sweep's. */
static bool is_neighbour(const st_stencil *s, const st_access *a) {
    bool inside = true;
    for (int d = 0; d < ST_MAX_RANK; d++)
        inside &= a->offset[d] == 0 || !(s->flat >> d & 1);
    return inside && !st_is_own(a);
}

/* Lets the access read the cell as it was before the sweep, from a grid of its own. */
static bool read_before(host_region *r, st_access *access) {
    poly stride[ST_MAX_RANK], origin = r->grids[access->grid].origin[0];
    if (!host_is_read_before(r, access))
        return false;
    int32_t copy = host_grid_before(r, access->grid);
    if (copy < 0) {
        memcpy(stride, r->grids[access->grid].stride, sizeof stride);
        copy = new_grid(r, 1, stride, &origin, r->stencil->grids[access->grid].type, 0, 0, 0);
        r->stencil->grids[copy].before = r->stencil->grids[copy].unwritten = true;
    }
    r->stencil->grids[copy].unwritten &= host_is_other_colour(r, access);
    access->grid = copy;
    access->level = 0;
    return copy < HOST_MAX_BEFORE;
}

bool host_also_store(host_region *r, LLVMValueRef store, st_access *access) {
    host_affine at[ST_MAX_BUFFERS];
    poly stride[ST_MAX_RANK];
    st_type type;
    static const int32_t here[ST_MAX_RANK];
    memset(access, 0, sizeof *access);
    if (!host_type(LLVMTypeOf(LLVMGetOperand(store, 0)), &type) || type == ST_I1)
        return host_refuse(r, ST_NO_ELEMENT_TYPE, "of a further array");
    int along;
    if (!address_of_store(r, store, at) || !find_along(r, at, type, &along))
        return false;
    strides_of_store(r, &at[0], type, along, stride);
    for (int i = 0; i < r->axes; i++)
        if (poly_is_zero(at[0].step[i]))
            return host_refuse_walk(r, store);
    if (!check_strides(r, stride, type))
        return false;
    if (match_grid(r, at, stride, type, 0, along, NEAR, access)) {
        bool own = !memcmp(access->offset, here, sizeof here),
             beside = r->form && r->form->beside(r->form->context, store);
        if (st_writes(r->stencil, access->grid, access->level) &&
            is_neighbour(r->stencil, access) && !beside)
            return host_refuse(r, ST_NO_SWEEPS,
                               "two assignments in a loop write the same array element");
        if (own)
            return true;
    }
    access->grid = grid_at(r, at, type, stride, host_takes_turns(r, at) ? 1 : 0, along);
    access->level = host_takes_turns(r, at) ? 1 : 0;
    return true;
}

/* Makes the written grid of a step that copies back. In the array copied to, the cell written is as
 * far from the copy's start as in the array copied from. */
bool host_store_grid_copied(host_region *r) {
    st_type type;
    poly stride[ST_MAX_RANK], origin[2];
    if (!store_address(r, &type))
        return false;
    poly into = poly_sub(r->store_at[0].base, r->copy.from);
    for (int i = 0; i < poly_count(into); i++)
        for (int k = 0; k < poly_terms(into)[i].degree; k++)
            if (br_scev_is_pointer(poly_terms(into)[i].atoms[k]))
                return host_refuse(r, ST_NO_COPY_BACK, "it copies another array than was computed");
    origin[0] = poly_add(r->copy.to, into);
    origin[1] = r->store_at[0].base;
    if (!poly_is_known(into) || !poly_is_known(origin[0]) || poly_equal(origin[0], origin[1]))
        return host_refuse(r, ST_NO_COPY_BACK, "it copies an array to itself");
    strides_of(r, &r->store_at[0], type, stride);
    r->stencil->store_level = 1;
    r->stencil->store_grid = new_grid(r, 2, stride, origin, type, 0, 0, 0);
    return true;
}

/* What the arrays of two sweeps must have in common and have not; or NULL. */
static const char *unlike(const host_region *a, const host_region *b, bool same_type) {
    if (!same_type)
        return "the elements of the two arrays have different types";
    for (int i = 0; i < a->stencil->rank; i++) {
        if (a->dim_of_loop[i] != b->dim_of_loop[i])
            return "their loops are ordered differently";
        if (!poly_equal(a->store_at[0].step[i], b->store_at[0].step[i]))
            return "the rows of the two arrays have different lengths";
    }
    if (poly_equal(a->store_at[0].base, b->store_at[0].base))
        return "both write the same array";
    return NULL;
}

bool host_store_grid_of_two(host_region *first, host_region *second) {
    st_type type, other;
    poly stride[ST_MAX_RANK], origin[2];
    if (!store_address(first, &type))
        return false;
    if (!store_address(second, &other))
        return host_refuse(first, second->why.reason, second->why.detail);
    const char *difference = unlike(first, second, type == other);
    if (difference)
        return host_refuse(first, ST_NO_TWO_SWEEPS, difference);
    origin[0] = second->store_at[0].base; /* what the first is to read */
    origin[1] = first->store_at[0].base;
    strides_of(first, &first->store_at[0], type, stride);
    first->stencil->store_level = 1;
    first->stencil->store_grid = new_grid(first, 2, stride, origin, type, 0, 0, 0);
    return true;
}

/* Is `load` an access to the written grid? Then its distance along the outermost loop. */
static bool distance_back(host_region *r, LLVMValueRef load, int32_t *distance) {
    host_affine at[ST_MAX_BUFFERS];
    st_access access;
    if (!host_address(r, LLVMGetOperand(load, 0), 0, at) ||
        !match_level(r, r->stencil->store_grid, 0, at, NEAR, &access))
        return false;
    *distance = access.offset[r->dim_of_loop[r->axes - 1]];
    return true;
}

bool host_keeps_history(host_region *r) {
    LLVMBasicBlockRef blocks[HOST_MAX_BLOCKS];
    size_t count = br_loop_blocks(r->loops[0], blocks, HOST_MAX_BLOCKS);
    int32_t distance;
    bool reads = false;
    for (size_t b = 0; b < count && b < HOST_MAX_BLOCKS; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(blocks[b]); i;
             i = LLVMGetNextInstruction(i)) {
            if (!LLVMIsALoadInst(i) || !distance_back(r, i, &distance))
                continue;
            if (distance >= 0)
                return false;
            reads = true;
        }
    return reads && r->stencil->rank > 1;
}

/* Cells of type `type` that a step moves on; 0 but for w[t]. */
static bool advance_of(host_region *r, const host_affine at[], st_type type, int32_t *advance) {
    int64_t step = 0, size = (int64_t)st_type_size(type);
    *advance = 0;
    if (!r->steps || !poly_is_int(at[0].step[r->axes], &step) || step == 0)
        return true;
    if (step % size != 0 || llabs(step / size) > INT32_MAX || host_takes_turns(r, at))
        return host_refuse(r, ST_NO_NOT_AFFINE, "it depends on the time step");
    *advance = (int32_t)(step / size);
    return true;
}

/* Is it the very element of a grid that moves on with the time steps? trace[t] += u[i]. */
static bool match_moving(const host_region *r, const host_affine at[], st_type type,
                         int32_t *grid) {
    for (size_t g = 0; g < r->stencil->ngrids; g++) {
        const host_grid *h = &r->grids[g];
        uint32_t along = r->stencil->grids[g].along;
        bool same = along && r->stencil->grids[g].type == type &&
                    poly_equal(h->stride[along - 1], at[0].step[r->axes]) &&
                    poly_equal(h->origin[0], at[0].base);
        for (int i = 0; i < r->axes && same; i++)
            same = poly_equal(h->stride[r->dim_of_loop[i]], at[0].step[i]);
        if (!same)
            continue;
        *grid = (int32_t)g;
        return true;
    }
    return false;
}

/* Where a sweep stores elements that move on, each element that it reads has the place that other
 * sweeps give it: a[2 * k] of a row has none. */
static bool check_known(host_region *r, const host_affine at[], const poly stride[]) {
    const host_array *known = NULL;
    if (st_moves_along(r->stencil) && r->axes > 0 && r->steps->apart)
        return host_refuse(r, ST_NO_STEP, NULL);
    if (st_moves_along(r->stencil))
        known = host_known_array(r->steps, host_base_pointer(at->base));
    for (int i = 0; i < r->axes && known; i++) {
        poly own = known->stride[r->dim_of_loop[i]];
        if (!poly_is_zero(own) && !poly_equal(own, stride[r->dim_of_loop[i]]))
            return host_refuse(r, ST_NO_STEP, NULL);
    }
    return true;
}

bool host_access(host_region *r, LLVMValueRef pointer, const host_affine at[], st_type type,
                 bool conditional, int32_t *number) {
    st_access access;
    poly stride[ST_MAX_RANK], origin[ST_MAX_BUFFERS];
    memset(&access, 0, sizeof access);
    access.conditional = conditional;
    access.where = -1;
    int32_t advance;
    if (match_moving(r, at, type, &access.grid)) {
        *number = st_add_access(r->stencil, access);
        return true;
    }
    if (!advance_of(r, at, type, &advance))
        return false;
    strides_of(r, &at[0], type, stride);
    if (!check_strides(r, stride, type) || !check_known(r, at, stride))
        return false;
    const st_stencil *s = r->stencil;
    if (!match_grid(r, at, stride, type, advance, 0, NEAR, &access)) {
        bool far = match_grid(r, at, stride, type, advance, 0, FAR, &access) &&
                   !host_lies_beyond(r, access.offset);
        if (far && r->time && !r->steps && access.grid == s->store_grid)
            return host_refuse(r, ST_NO_RADIUS, NULL);
        r->match.far |= far;
        bool found = host_choose_origin(r, at, stride, type, origin);
        int buffers = host_takes_turns(r, at) ? r->period : 1;
        int32_t g = new_grid(r, buffers, stride, origin, type, 0, advance, 0);
        r->grids[g].loose = !found;
        if (!match_level(r, g, 0, at, NEAR, &access))
            return host_refuse(r, ST_NO_RADIUS, NULL);
    }
    if (r->form && !r->form->faces(r->form->context, pointer, &access, &r->why))
        return false;
    if (r->match.end_load && !host_set_ends(r, r->match.end_load, at, stride, &access))
        return false;
    if (st_writes(s, access.grid, access.level) && (access.faces || is_neighbour(s, &access)) &&
        !read_before(r, &access))
        return host_refuse(r, ST_NO_IN_PLACE, NULL);
    *number = st_add_access(r->stencil, access);
    return true;
}

bool host_access_before(host_region *r, const host_affine at[], st_type type, int32_t *number) {
    st_access access = {.where = -1};
    poly stride[ST_MAX_RANK], origin[ST_MAX_BUFFERS];
    int d = r->dim_of_loop[0];
    LLVMValueRef base = host_base_pointer(at[0].base);
    uint8_t *rule = &r->stencil->boundary[d][0];
    strides_of(r, &at[0], type, stride);
    if (!check_strides(r, stride, type))
        return false;
    if (r->form || r->partial || r->left_out[0][0] || poly_is_zero(stride[d]) ||
        (*rule && *rule != ST_CLAMP) || !base || base == host_base_pointer(r->store_at[0].base))
        return host_refuse(r, ST_NO_CARRIED, "an element");
    for (int s = 0; s < r->period; s++)
        origin[s] = at[s].base;
    int turns = host_takes_turns(r, at) ? r->period : 1;
    access.grid = new_grid(r, turns, stride, origin, type, 0, 0, 0);
    access.offset[d] = -1;
    access.faces = ST_FACE(d, 0);
    *rule = ST_CLAMP;
    *number = st_add_access(r->stencil, access);
    return true;
}
