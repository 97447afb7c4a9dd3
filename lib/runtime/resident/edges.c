/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The bytes of a held array that are not watched: those in pages that contain other data, too, and
 * those in pages that the program looked at. They are copied and compared.
 */
#include "runtime/device/transfer.h"
#include "runtime/resident/counts.h"
#include "runtime/resident/spread.h"
#include <stdlib.h>
#include <string.h>

/* Edges of this size cost little in any case. */
static const size_t few_bytes = (size_t)64 << 10;

/* The memory that edges may take: a sixteenth of a small array, a 32nd of a large one. Halos of
 * bands and slabs fit. All of it is compared at each call, and what calls write there is copied. */
static size_t room_for_pages(const rt_held *h) {
    static const size_t least = (size_t)16 << 10;
    size_t bytes = h->last - h->first, part = bytes / 16;
    if (part > few_bytes)
        part = bytes / 32 > few_bytes ? bytes / 32 : few_bytes;
    return part < least ? least : part;
}

/* Does the program no longer write in large edges? Perhaps it looked once. When they have cost as
 * much as bringing the array back, which ends them, it is brought back. Moving pages takes some
 * five times as long as copying them. */
static bool are_idle(rt_held *h, bool written) {
    enum { WORTH = 8 };
    h->idle = written ? 0 : h->idle + h->known_bytes;
    return h->known_bytes > few_bytes && h->idle / WORTH > h->hi - h->lo;
}

bool rt_edges_begin(rt_held *h) {
    size_t low = h->first - h->lo, high = h->hi - h->last;
    h->known_room = low + high + (h->parts ? room_for_pages(h) : 0);
    h->known = malloc(h->known_room + 1);
    h->edge[0] = (rt_edge){h->lo, h->first, 0};
    h->edge[1] = (rt_edge){h->last, h->hi, low};
    h->edges = RT_ENDS;
    h->known_bytes = low + high;
    return h->known != NULL;
}

void rt_edges_learn(const rt_held *h) {
    for (uint32_t i = 0; i < h->edges; i++)
        memcpy(h->known + h->edge[i].known, (void *)h->edge[i].lo, h->edge[i].hi - h->edge[i].lo);
}

bool rt_edges_add(rt_held *h, uintptr_t lo, uintptr_t hi, const void *content) {
    rt_edge *last = &h->edge[h->edges - 1];
    bool grows = h->edges > RT_ENDS && last->hi == lo;
    if (h->known_room - h->known_bytes < hi - lo || (!grows && h->edges == RT_EDGES))
        return false;
    memcpy(h->known + h->known_bytes, content, hi - lo);
    if (grows)
        last->hi = hi;
    else
        h->edge[h->edges++] = (rt_edge){lo, hi, h->known_bytes};
    h->known_bytes += hi - lo;
    return true;
}

rt_box rt_edge_box(const rt_held *h, uintptr_t lo, uintptr_t hi) {
    rt_box box = h->grid.box;
    int64_t from[3], to[3];
    rt_held_cell(h, (int64_t)(lo - h->lo), from);
    rt_held_cell(h, (int64_t)(hi - 1 - h->lo), to);
    for (int d = 2; d >= 0; d--) {
        box.lo[d] = from[d];
        box.hi[d] = to[d] + 1;
        if (from[d] != to[d])
            break;
    }
    return box;
}

/* Cells of an edge that the program changed, in rows that follow one another. */
typedef struct change {
    const rt_held *held;
    const rt_edge *edge;
    rt_box box;
    size_t bytes; /* of all boxes so far */
} change;

/* A thread may write meanwhile: the device gets what `known` gets. */
static bool upload(change *c) {
    const rt_held *h = c->held;
    rt_buffer copy = h->buffer;
    rt_error ignored;
    if (!rt_box_meets(&c->box, &c->box))
        return true;
    copy.origin = h->known + c->edge->known - (c->edge->lo - h->lo);
    bool ok = rt_held_put(h, &copy, &c->box, 1, &ignored);
    c->bytes += rt_staged_bytes(&h->shape, &h->buffer, &c->box);
    c->box.hi[0] = c->box.lo[0];
    return ok;
}

/* Adds cells of a row. */
static bool add_cells(change *c, int64_t x, int64_t end, int64_t y, int64_t z) {
    rt_box *b = &c->box;
    bool joins = b->lo[0] == x && b->hi[0] == end && b->hi[1] == y && b->lo[2] == z;
    if (joins) {
        b->hi[1]++;
        return true;
    }
    bool ok = upload(c);
    *b = (rt_box){{x, y, z}, {end, y + 1, z + 1}};
    return ok;
}

/* Looks at a row's cells in an edge. A cell that the edge has in part cannot be uploaded. */
static bool refresh_row(change *c, int64_t y, int64_t z, const rt_box *box) {
    const rt_held *h = c->held;
    const rt_edge *e = c->edge;
    size_t size = h->grid.elem_size, width = (size_t)rt_box_size(box, 0) * size;
    uintptr_t row = (uintptr_t)rt_buffer_host_cell(&h->shape, &h->buffer, box->lo[0], y, z);
    uintptr_t from = row < e->lo ? e->lo : row, to = row + width < e->hi ? row + width : e->hi;
    unsigned char *known = h->known + e->known + (from - e->lo);
    if (from >= to || !memcmp(known, (void *)from, to - from))
        return true;
    if ((from - row) % size || (to - row) % size)
        return false;
    memcpy(known, (void *)from, to - from);
    int64_t x = box->lo[0] + (int64_t)((from - row) / size);
    return add_cells(c, x, x + (int64_t)((to - from) / size), y, z);
}

static bool refresh(change *c) {
    const rt_held *h = c->held;
    const rt_edge *e = c->edge;
    bool ok = true;
    if (e->lo == e->hi || !memcmp(h->known + e->known, (void *)e->lo, e->hi - e->lo))
        return true;
    if (h->grid.brick[0]) /* whole bricks are uploaded: cells beside would be lost */
        return false;
    rt_box box = rt_edge_box(h, e->lo, e->hi);
    c->box = (rt_box){{0}, {0}};
    for (int64_t z = box.lo[2]; z < box.hi[2]; z++)
        for (int64_t y = box.lo[1]; y < box.hi[1] && ok; y++)
            ok = refresh_row(c, y, z, &box);
    return ok && upload(c);
}

bool rt_edges_refresh(rt_held *h) {
    change c = {.held = h};
    bool ok = true;
    for (uint32_t i = 0; i < h->edges && ok; i++) {
        c.edge = &h->edge[i];
        ok = refresh(&c);
    }
    rt_count(RT_COUNT_THERE, c.bytes);
    return ok && !are_idle(h, c.bytes > 0);
}

/* The part of an edge that a call wrote, for each pair of an edge and a box of results. */
typedef struct piece {
    const rt_edge *edge;
    rt_box box;
    size_t staged, bytes;
} piece;

/* The intersection of `a`, in the held array's coordinates, with `b`, in the use's; in the former.
 */
static rt_box intersection(const rt_use *u, const rt_box *a, const rt_box *b) {
    rt_box box;
    for (int d = 0; d < 3; d++) {
        const rt_place *p = &u->place;
        int e = p->axis[d];
        int64_t lo = p->by[d] + (p->falls[d] ? 1 - b->hi[d] : b->lo[d]);
        int64_t hi = p->by[d] + (p->falls[d] ? 1 - b->lo[d] : b->hi[d]);
        box.lo[e] = a->lo[e] > lo ? a->lo[e] : lo;
        box.hi[e] = a->hi[e] < hi ? a->hi[e] : hi;
    }
    return box;
}

/* Steps to the next piece; a zeroed piece is the start. */
static bool next_piece(const rt_use *u, size_t *at, piece *p) {
    const rt_held *h = u->held;
    p->staged += p->bytes;
    for (; *at < h->edges * u->results->count; ++*at) {
        const rt_edge *e = p->edge = &h->edge[*at / u->results->count];
        if (e->lo == e->hi)
            continue;
        rt_box edge = rt_edge_box(h, e->lo, e->hi);
        p->box = intersection(u, &edge, &u->results->at[*at % u->results->count]);
        if (!rt_box_meets(&p->box, &p->box))
            continue;
        p->bytes = rt_staged_bytes(&h->shape, &h->buffer, &p->box);
        ++*at;
        return true;
    }
    p->bytes = 0;
    return false;
}

bool rt_edges_download(rt_use *u, rt_error *why) {
    const rt_held *h = u->held;
    piece p = {.bytes = 0};
    size_t at = 0;
    while (next_piece(u, &at, &p))
        ;
    rt_count(RT_COUNT_BACK, p.staged);
    if (p.staged == 0)
        return true;
    u->edges = malloc(p.staged);
    if (!u->edges)
        return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    p = (piece){.bytes = 0};
    for (at = 0; next_piece(u, &at, &p);)
        if (!rt_held_stage(h, &p.box, u->edges + p.staged, why))
            return false;
    return true;
}

/* Writes to the program's memory, and to the runtime's copy of it. */
static void write_edge(const rt_held *h, const rt_edge *e, uintptr_t to, const unsigned char *from,
                       size_t bytes) {
    memcpy((void *)to, from, bytes);
    memcpy(h->known + e->known + (to - e->lo), from, bytes);
}

void rt_edges_write(const rt_use *u) {
    const rt_held *h = u->held;
    piece p = {.bytes = 0};
    for (size_t at = 0; next_piece(u, &at, &p);) {
        const unsigned char *staged = u->edges + p.staged;
        size_t width = (size_t)rt_box_size(&p.box, 0) * h->grid.elem_size;
        for (int64_t z = p.box.lo[2]; z < p.box.hi[2]; z++)
            for (int64_t y = p.box.lo[1]; y < p.box.hi[1]; y++, staged += width) {
                uintptr_t row =
                    (uintptr_t)rt_buffer_host_cell(&h->shape, &h->buffer, p.box.lo[0], y, z);
                uintptr_t from = row < p.edge->lo ? p.edge->lo : row;
                uintptr_t to = row + width < p.edge->hi ? row + width : p.edge->hi;
                if (from < to)
                    write_edge(h, p.edge, from, staged + (from - row), to - from);
            }
    }
}
