/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where cell (0,0,0) of a grid lies that is first seen at some access: so that offsets in all grids
 * of a sweep mean the same.
 */
#include "detect/common/affine.h"
#include "detect/common/limits.h"
#include "detect/host/access.h"
#include "detect/host/region.h"
#include "detect/host/tables.h"

#include <stdlib.h>

bool host_takes_turns(const host_region *r, const host_affine at[]) {
    for (int s = 1; s < r->period; s++)
        if (!poly_equal(at[0].base, at[s].base))
            return true;
    return false;
}

bool host_offset_from(const host_region *r, poly at, poly origin, const poly stride[], st_type type,
                      int limit, int32_t k[ST_MAX_RANK]) {
    poly delta = poly_sub(at, origin), unit[ST_MAX_RANK];
    for (int d = 0; d < ST_MAX_RANK; d++) {
        unit[d] = stride[d];
        k[d] = 0;
    }
    if (!host_is_apart(r, stride, type))
        unit[0] = poly_int(r->f, (int64_t)st_type_size(type));
    return poly_decompose(delta, unit, r->stencil->rank, limit, k);
}

/* origin = pointer + rest; false if there is not exactly one pointer, with factor 1. */
static bool split_pointer(poly origin, poly *pointer, poly *rest) {
    for (int i = 0; i < poly_count(origin); i++) {
        const poly_term *t = &poly_terms(origin)[i];
        if (t->degree != 1 || t->factor != 1 || !br_scev_is_pointer(t->atoms[0]))
            continue;
        *pointer = poly_term_as(origin, i, 1);
        *rest = poly_sub(origin, *pointer);
        return true;
    }
    return false;
}

/* a = *count * stride + *rest. For rows of constant length, the count is as large as the constant
 * allows. */
static bool count_strides(const host_region *r, poly a, poly stride, poly *count, poly *rest) {
    int64_t bytes, whole;
    if (!poly_divide_by_sum(a, stride, count, rest))
        return false;
    if (poly_is_int(stride, &bytes) && bytes > 0) {
        whole = poly_constant(*rest) / bytes;
        *count = poly_plus(r->f, *count, whole);
        *rest = poly_sub(*rest, poly_scale(stride, whole));
    }
    return true;
}

bool host_is_apart(const host_region *r, const poly stride[], st_type type) {
    int64_t bytes, size = (int64_t)st_type_size(type);
    return r->form && poly_is_int(stride[0], &bytes) && bytes > size && bytes % size == 0 &&
           bytes / size <= HOST_MOST_APART;
}

/* Is it less than from one cell of the array written to the next: one of the cell's components? */
static bool is_component(const host_region *r, poly rest) {
    const host_grid *written = &r->grids[r->stencil->store_grid];
    st_type type = r->stencil->grids[r->stencil->store_grid].type;
    int64_t bytes, cell;
    return host_is_apart(r, written->stride, type) && poly_is_int(rest, &bytes) &&
           poly_is_int(written->stride[0], &cell) && bytes >= 0 && bytes < cell;
}

/* As many strides from this array's start as the cell written is from the start of its own: arrays
 * that are indexed alike, with rows of different lengths. */
static bool origin_by_strides(const host_region *r, poly at, const poly stride[], poly *origin) {
    const host_grid *written = &r->grids[r->stencil->store_grid];
    poly pointer, ignored, rest, count;
    if (!split_pointer(r->store_at[0].base, &pointer, &rest) ||
        !split_pointer(at, origin, &ignored))
        return false;
    for (int d = r->stencil->rank; d-- > 0;) {
        if (!count_strides(r, rest, written->stride[d], &count, &rest))
            return false;
        *origin = poly_add(*origin, poly_mul(count, stride[d]));
    }
    return (poly_is_zero(rest) || is_component(r, rest)) && poly_is_known(*origin);
}

/* The first term that is a pointer; or -1. */
static int pointer_term(poly p) {
    for (int i = 0; i < poly_count(p); i++)
        if (poly_terms(p)[i].degree == 1 && br_scev_is_pointer(poly_terms(p)[i].atoms[0]))
            return i;
    return -1;
}

static poly without_pointers(poly p) {
    for (int i; (i = pointer_term(p)) >= 0;)
        p = poly_sub(p, poly_term_as(p, i, poly_terms(p)[i].factor));
    return p;
}

/* The component that `at` is of the cell: bytes behind its first one. */
static poly component_of(const host_region *r, poly at, poly first, const poly stride[]) {
    int64_t bytes = 1, rest = poly_constant(poly_sub(at, first));
    poly_is_int(stride[0], &bytes);
    return poly_plus(r->f, first, (rest % bytes + bytes) % bytes);
}

/* from + what lies between it and `at` but for a few rows, planes and cells: the start of another
 * plane of the array, as in a[plane + i - n]. */
static poly start_of_plane(const host_region *r, poly at, poly from, const poly stride[]) {
    poly between = poly_sub(at, from), count, rest;
    for (int d = r->stencil->rank; d-- > 0;) {
        if (!poly_divide_by_sum(between, stride[d], &count, &rest))
            continue;
        int64_t few = poly_constant(count);
        if (llabs(few) <= ST_MAX_RADIUS)
            between = poly_sub(between, poly_scale(stride[d], few));
    }
    return poly_add(from, between);
}

static bool beside_by_strides(const host_region *r, const host_affine at[], const poly stride[],
                              st_type type, poly origin[]) {
    int32_t near[ST_MAX_RANK];
    poly alike;
    if (!origin_by_strides(r, at[0].base, stride, &alike))
        return false;
    if (host_is_apart(r, stride, type))
        alike = component_of(r, at[0].base, alike, stride);
    if (r->form && !host_offset_from(r, at[0].base, alike, stride, type, ST_MAX_RADIUS, near))
        alike = start_of_plane(r, at[0].base, alike, stride);
    if (!poly_is_known(alike) ||
        !host_offset_from(r, at[0].base, alike, stride, type, ST_MAX_RADIUS, near))
        return false;
    origin[0] = alike;
    for (int s = 1; s < r->period && !host_takes_turns(r, at); s++)
        origin[s] = alike;
    return true;
}

/* Are its rows, or planes, of another length than those of the array written? The same number of
 * cells from the start is then another cell. */
static bool has_other_rows(const host_region *r, const poly stride[], st_type type) {
    const st_stencil *s = r->stencil;
    int64_t size = (int64_t)st_type_size(type);
    int64_t written = (int64_t)st_type_size(s->grids[s->store_grid].type);
    bool other = false;
    for (int d = 0; d < s->rank; d++)
        other |= !poly_equal(poly_scale(r->grids[s->store_grid].stride[d], size),
                             poly_scale(stride[d], written));
    return other;
}

/* How many strides fit in the constant: down to a multiple of the stride, or to the nearest one. A
 * stride is negative where the loop walks down in memory. */
static int64_t whole_strides(int64_t constant, int64_t stride, bool down) {
    int64_t size = llabs(stride), more = down ? 0 : size / 2, sum = constant + more;
    int64_t whole = sum / size - (sum % size < 0);
    return stride < 0 ? -whole : whole;
}

/* Takes whole strides out of *at; *count: how many. False: they are not few, or *at is no sum of
 * them. `down`: what is left is not negative. */
static bool take_whole(poly *at, poly stride, bool down, poly *count, bool few) {
    int64_t n, bytes;
    if (!poly_is_int(stride, &bytes))
        return poly_divide_by_sum(*at, stride, count, at) &&
               (!few || (poly_is_int(*count, &n) && llabs(n) <= ST_MAX_RADIUS));
    n = bytes ? whole_strides(poly_constant(*at), bytes, down) : 0;
    *at = poly_sub(*at, poly_scale(stride, n));
    return bytes != 0;
}

/* at = origin + a few strides of the loops. False: it is no such sum. What one row of the array is
 * read for all rows stays in the origin: as many rows of the array written. */
static bool take_strides(const host_region *r, poly at, const poly stride[], poly *origin) {
    const host_grid *written = &r->grids[r->stencil->store_grid];
    poly count = NULL, before, rows = NULL;
    for (int d = r->stencil->rank; d-- > 0;) {
        bool stays = poly_is_zero(stride[d]);
        if (r->stencil->flat >> d & 1)
            continue;
        before = at;
        if (!take_whole(&at, written->stride[d], d == 1, &count, !stays))
            return false;
        if (stays)
            rows = poly_add(rows, poly_sub(before, at));
    }
    *origin = poly_add(at, rows);
    return true;
}

/* Of a component of elements that are apart: beside the element written, so that its neighbours
 * are as far away as other components' are. */
static bool beside_element(const host_region *r, poly at, const poly stride[], poly *origin) {
    poly store = r->store_at[0].base, rest;
    int64_t bytes;
    int pointer = pointer_term(at);
    const host_grid *written = &r->grids[r->stencil->store_grid];
    if (pointer < 0 || !poly_is_int(written->stride[1], &bytes) || bytes == 0)
        return false;
    for (int d = 1; d < r->stencil->rank; d++)
        if (!poly_is_zero(stride[d]) && !poly_equal(stride[d], written->stride[d]))
            return false;
    store = without_pointers(store);
    int64_t whole = whole_strides(poly_constant(store), bytes, true) * bytes;
    store = poly_plus(r->f, store, whole - poly_constant(store)); /* its first component */
    store = poly_add(store, poly_term_as(at, pointer, 1));
    if (!take_strides(r, poly_sub(at, store), stride, &rest))
        return false;
    *origin = poly_add(store, rest);
    return poly_is_known(*origin);
}

/* Of an array without components beside elements with such: as many rows and columns from its start
 * as the element written is. */
static bool beside_cell(const host_region *r, poly at, const poly stride[], st_type type,
                        poly *origin) {
    const host_grid *written = &r->grids[r->stencil->store_grid];
    int32_t near[ST_MAX_RANK];
    poly pointer, ignored, rest, count;
    int64_t bytes;
    if (!split_pointer(r->store_at[0].base, &pointer, &rest) ||
        !split_pointer(at, origin, &ignored))
        return false;
    for (int d = r->stencil->rank; d-- > 1;) {
        if (!count_strides(r, rest, written->stride[d], &count, &rest))
            return false;
        *origin = poly_add(*origin, poly_mul(count, stride[d]));
    }
    return poly_is_int(rest, &bytes) && poly_is_known(*origin) &&
           host_offset_from(r, at, *origin, stride, type, ST_MAX_RADIUS, near);
}

bool host_choose_origin(host_region *r, const host_affine at[], const poly stride[], st_type type,
                        poly origin[]) {
    const st_stencil *stencil = r->stencil;
    int64_t size = (int64_t)st_type_size(type);
    int64_t written = (int64_t)st_type_size(stencil->grids[stencil->store_grid].type);
    for (int s = 0; s < r->period; s++)
        origin[s] = at[s].base;
    for (int s = 0; s < r->period && r->match.end_load && r->steps && r->steps->apart; s++)
        if (!beside_element(r, at[s].base, stride, &origin[s]) &&
            !beside_cell(r, at[s].base, stride, type, &origin[s]))
            origin[s] = at[s].base;
    if (stencil->flat)
        return true; /* of an edge, what is near may be another one */
    bool other = !host_takes_turns(r, at) && !host_takes_turns(r, r->store_at) &&
                 has_other_rows(r, stride, type);
    if ((r->form || host_tables_of(r)->count > 0 || other) &&
        beside_by_strides(r, at, stride, type, origin))
        return true;
    for (int s = 0; s < r->period; s++) {
        poly candidate = at[s].base, elements;
        int32_t k[ST_MAX_RANK];
        int pointer = pointer_term(candidate);
        bool even = poly_exact(without_pointers(r->store_at[s].base), written, &elements);
        if (pointer >= 0)
            candidate = poly_add(poly_term_as(candidate, pointer, 1), poly_scale(elements, size));
        if ((pointer >= 0 && !even) || !poly_is_known(candidate) ||
            !host_offset_from(r, at[s].base, candidate, stride, type, ST_MAX_RADIUS, k)) {
            for (int j = 0; j <= s; j++)
                origin[j] = at[j].base;
            return false;
        }
        origin[s] = candidate;
    }
    return true;
}

bool host_lies_beyond(const host_region *r, const int32_t offset[ST_MAX_RANK]) {
    bool beyond = false;
    for (int i = 0; i < r->axes && !beyond; i++) {
        int64_t count;
        beyond = r->count[i] && br_scev_int(r->count[i], &count) &&
                 llabs(offset[r->dim_of_loop[i]]) > count;
    }
    return beyond;
}
