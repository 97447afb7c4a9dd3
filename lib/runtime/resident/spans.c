/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Pieces of a promised array that the program fetches or changes: a row, a column's cell, planes.
 * Only these cells are copied, exactly: cells beside them may have been written without a word so
 * far, or MPI is about to. Many small pieces take longer than the array. So from a number of them
 * on the array is copied to memory of the runtime, which later pieces come from until a loop nest
 * writes the array.
 */
#include "runtime/resident/spans.h"
#include "runtime/resident/counts.h"
#include "runtime/resident/spread.h"
#include <stdlib.h>
#include <string.h>

enum {
    PIECE_COST = 128 << 10, /* a copy takes as long as so many bytes more */
    MOST_BOXES = 5
};

/* Whole cells that follow one another: from one cell to another one, both of them included. */
typedef struct span {
    int64_t from[3], to[3];
} span;

static uintptr_t address_of(const rt_held *h, const int64_t cell[3]) {
    return (uintptr_t)rt_buffer_host_cell(&h->shape, &h->buffer, cell[0], cell[1], cell[2]);
}

/* The cells that have bytes in [lo, hi), which meets the array. False if there is none, because
 * rows have gaps. *whole: are all their bytes there? */
static bool find_span(const rt_held *h, uintptr_t lo, uintptr_t hi, span *s, bool *whole) {
    const rt_box *box = &h->grid.box;
    lo = lo > h->lo ? lo : h->lo;
    hi = hi < h->hi ? hi : h->hi;
    rt_held_cell(h, (int64_t)(lo - h->lo), s->from);
    rt_held_cell(h, (int64_t)(hi - 1 - h->lo), s->to);
    if (address_of(h, s->from) + h->grid.elem_size <= lo) { /* in a gap: the next row begins it */
        s->from[0] = 0;
        for (int d = 1; d < 3 && ++s->from[d] == rt_box_size(box, d); d++)
            s->from[d] = 0;
    }
    uintptr_t first = address_of(h, s->from), last = address_of(h, s->to);
    *whole = lo <= first && last + h->grid.elem_size <= hi;
    return first <= last;
}

static void add_box(rt_box *boxes, size_t *count, const int64_t lo[3], const int64_t hi[3]) {
    rt_box *box = &boxes[*count];
    for (int d = 0; d < 3; d++) {
        if (lo[d] >= hi[d])
            return;
        box->lo[d] = lo[d];
        box->hi[d] = hi[d];
    }
    ++*count;
}

/* Rows of a plane, from the first to before the last one. */
static void add_rows(const rt_held *h, rt_box *boxes, size_t *count, int64_t z, int64_t y,
                     int64_t end) {
    int64_t width = rt_box_size(&h->grid.box, 0);
    add_box(boxes, count, (int64_t[3]){0, y, z}, (int64_t[3]){width, end, z + 1});
}

/* Whole rows, from row y of plane z to before row y of another plane. */
static void add_planes(const rt_held *h, rt_box *boxes, size_t *count, int64_t z, int64_t y,
                       int64_t end_z, int64_t end_y) {
    int64_t width = rt_box_size(&h->grid.box, 0), rows = rt_box_size(&h->grid.box, 1);
    if (z == end_z) {
        add_rows(h, boxes, count, z, y, end_y);
        return;
    }
    if (y > 0)
        add_rows(h, boxes, count, z, y, rows);
    z += y > 0;
    add_box(boxes, count, (int64_t[3]){0, 0, z}, (int64_t[3]){width, rows, end_z});
    add_rows(h, boxes, count, end_z, 0, end_y);
}

/* The span as boxes: what is left of its first row, whole rows and planes, part of the last row. */
static size_t find_boxes(const rt_held *h, const span *s, rt_box boxes[MOST_BOXES]) {
    const int64_t *from = s->from, *to = s->to;
    int64_t width = rt_box_size(&h->grid.box, 0);
    size_t count = 0;
    if (from[1] == to[1] && from[2] == to[2]) {
        add_box(boxes, &count, from, (int64_t[3]){to[0] + 1, to[1] + 1, to[2] + 1});
        return count;
    }
    bool begins = from[0] > 0, ends = to[0] + 1 < width;
    if (begins)
        add_box(boxes, &count, from, (int64_t[3]){width, from[1] + 1, from[2] + 1});
    add_planes(h, boxes, &count, from[2], from[1] + begins, to[2], to[1] + !ends);
    if (ends)
        add_box(boxes, &count, (int64_t[3]){0, to[1], to[2]},
                (int64_t[3]){to[0] + 1, to[1] + 1, to[2] + 1});
    return count;
}

static void copy_box(const rt_held *h, const rt_box *box) {
    size_t width = (size_t)rt_box_size(box, 0) * h->grid.elem_size;
    for (int64_t z = box->lo[2]; z < box->hi[2]; z++)
        for (int64_t y = box->lo[1]; y < box->hi[1]; y++) {
            uintptr_t at = address_of(h, (int64_t[3]){box->lo[0], y, z});
            memcpy((void *)at, h->copy + (at - h->lo), width);
        }
}

/* Copies the whole array from the device, for pieces that come later. Their own memory must stay as
 * it is: the program may have written it without a word so far. */
static void make_copy(rt_held *h) {
    rt_buffer to = h->buffer;
    rt_error ignored;
    if (!h->copy)
        h->copy = malloc(h->hi - h->lo);
    to.origin = h->copy;
    h->copied = h->copy && rt_held_get(h, &to, &h->grid.box, &ignored);
    rt_count(RT_COUNT_BACK, h->copied ? h->hi - h->lo : 0);
}

/* Counts the cost of a piece, before it is fetched. */
static void expect(rt_held *h, size_t bytes) {
    h->pieces += bytes + PIECE_COST;
    if (h->pieces >= h->hi - h->lo && !h->copied)
        make_copy(h);
}

static bool fetch_boxes(rt_held *h, const rt_box *boxes, size_t count) {
    bool ok = true;
    rt_error ignored;
    for (size_t i = 0; ok && i < count; i++)
        if (h->copied)
            copy_box(h, &boxes[i]);
        else
            ok = rt_held_get(h, &h->buffer, &boxes[i], &ignored);
    return ok;
}

bool rt_piece_fetch(rt_held *h, uintptr_t lo, uintptr_t hi) {
    rt_box boxes[MOST_BOXES];
    span s;
    bool whole, ok = !rt_held_broken(h) && (lo > h->lo || hi < h->hi);
    if (!ok || !find_span(h, lo, hi, &s, &whole))
        return ok;
    expect(h, hi - lo);
    return fetch_boxes(h, boxes, find_boxes(h, &s, boxes));
}

static bool upload_boxes(rt_held *h, const rt_box *boxes, size_t count) {
    rt_error ignored;
    return rt_held_put(h, &h->buffer, boxes, count, &ignored);
}

bool rt_piece_changed(rt_held *h, uintptr_t lo, uintptr_t hi) {
    rt_box boxes[MOST_BOXES];
    span s;
    bool whole;
    bool useless = !h->dirty && lo <= h->lo && hi >= h->hi; /* the next call uploads all of it */
    h->copied = false;
    if (rt_held_broken(h) || h->grid.brick[0] || useless)
        return false;
    if (!find_span(h, lo, hi, &s, &whole))
        return true;
    return whole && upload_boxes(h, boxes, find_boxes(h, &s, boxes));
}

/* Are the bytes those of the span, which lies in one row? */
static bool is_in_row(const rt_held *h, uintptr_t lo, uintptr_t hi, span *s) {
    bool whole;
    return lo >= h->lo && hi <= h->hi && find_span(h, lo, hi, s, &whole) &&
           s->from[1] == s->to[1] && s->from[2] == s->to[2] && address_of(h, s->from) == lo &&
           address_of(h, s->to) + h->grid.elem_size == hi;
}

/* The box of all pieces: the first one's cells, in as many rows or planes as there are pieces. */
static bool find_rows(const rt_held *h, const stencilrt_rows *rows, rt_box *box) {
    uintptr_t lo = (uintptr_t)rows->memory;
    span s;
    if (rt_held_broken(h) || h->grid.brick[0] || !is_in_row(h, lo, lo + rows->bytes, &s))
        return false;
    for (int d = 1; d < 3; d++) {
        int64_t cells = rt_box_size(&h->grid.box, d) - s.from[d];
        if ((uint64_t)h->grid.host_stride[d] != rows->distance || rows->count > (uint64_t)cells)
            continue;
        for (int e = 0; e < 3; e++) {
            box->lo[e] = s.from[e];
            box->hi[e] = s.to[e] + 1;
        }
        box->hi[d] = s.from[d] + (int64_t)rows->count;
        return true;
    }
    return false;
}

bool rt_piece_fetch_rows(rt_held *h, const stencilrt_rows *rows) {
    rt_box box;
    if (!find_rows(h, rows, &box))
        return false;
    if (!h->dirty)
        return true;
    expect(h, rows->bytes * rows->count);
    return fetch_boxes(h, &box, 1);
}

bool rt_piece_changed_rows(rt_held *h, const stencilrt_rows *rows) {
    rt_box box;
    h->copied = false;
    return find_rows(h, rows, &box) && upload_boxes(h, &box, 1);
}

uint64_t rt_piece_address(rt_held *h, uintptr_t lo, uintptr_t hi) {
    span s;
    rt_error ignored;
    if (rt_held_broken(h) || h->nparts > 0 || h->grid.brick[0] || !is_in_row(h, lo, hi, &s) ||
        !rt_device_pass(h->device, &ignored))
        return 0;
    return h->block.address + rt_grid_device_offset(&h->grid, s.from[0], s.from[1], s.from[2]);
}
