/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The bytes of a held array in pages that contain other data, too. Such pages cannot be watched. So
 * these bytes are copied and compared.
 */
#include "runtime/device/transfer.h"
#include "runtime/resident/held_array.h"
#include <stdlib.h>
#include <string.h>

void rt_held_cell(const rt_held *h, int64_t bytes, int64_t cell[3]) {
    for (int d = 2; d >= 0; d--) {
        int64_t n = rt_box_size(&h->grid.box, d), q = n > 1 ? bytes / h->grid.host_stride[d] : 0;
        bytes -= n > 1 ? q * h->grid.host_stride[d] : 0;
        cell[d] = q < n ? q : n - 1;
    }
}

size_t rt_edge_bytes(const rt_held *h) {
    return (h->first - h->lo) + (h->hi - h->last);
}

void rt_edges_learn(const rt_held *h) {
    size_t low = h->first - h->lo;
    memcpy(h->edges, (void *)h->lo, low);
    memcpy(h->edges + low, (void *)h->last, h->hi - h->last);
}

bool rt_edges_are_known(const rt_held *h) {
    size_t low = h->first - h->lo;
    return !memcmp(h->edges, (void *)h->lo, low) &&
           !memcmp(h->edges + low, (void *)h->last, h->hi - h->last);
}

/* The smallest box with all cells that have bytes in [lo, hi). */
static rt_box edge_box(const rt_held *h, uintptr_t lo, uintptr_t hi) {
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

/* The part of an edge that a call wrote, for each pair of an edge and a box of results. */
typedef struct piece {
    uintptr_t lo, hi; /* the edge */
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
    for (; *at < 2 * u->results->count; ++*at) {
        bool low = *at < u->results->count;
        p->lo = low ? h->lo : h->last;
        p->hi = low ? h->first : h->hi;
        if (p->lo == p->hi)
            continue;
        rt_box edge = edge_box(h, p->lo, p->hi);
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
    if (p.staged == 0)
        return true;
    u->edges = malloc(p.staged);
    if (!u->edges)
        return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    p = (piece){.bytes = 0};
    for (at = 0; next_piece(u, &at, &p);)
        if (!rt_download(h->device, &h->shape, &h->buffer, &p.box, h->block.address,
                         u->edges + p.staged, why))
            return false;
    return true;
}

/* Writes to the program's memory, and to the runtime's copy of it. */
static void write_edge(const rt_held *h, uintptr_t to, const unsigned char *from, size_t bytes) {
    size_t low = h->first - h->lo;
    memcpy((void *)to, from, bytes);
    memcpy(h->edges + (to < h->first ? to - h->lo : to - h->last + low), from, bytes);
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
                uintptr_t from = row < p.lo ? p.lo : row;
                uintptr_t to = row + width < p.hi ? row + width : p.hi;
                if (from < to)
                    write_edge(h, from, staged + (from - row), to - from);
            }
    }
}
