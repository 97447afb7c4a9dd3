/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A held array from inside: its life (life.c), calls (held.c), and its edges (edges.c), the bytes
 * in pages that it has only in part.
 */
#ifndef STENCILRT_HELD_ARRAY_H
#define STENCILRT_HELD_ARRAY_H

#include "runtime/call/extent.h"
#include "runtime/resident/held.h"
#include "runtime/watch/watch.h"

struct rt_held {
    rt_held *next, *before;
    bool listed;
    rt_device *device;
    rt_grid grid;
    rt_buffer buffer;
    rt_shape shape;        /* these two, for transfers */
    uintptr_t lo, hi;      /* of the box */
    uintptr_t first, last; /* whole pages; all of it where it is promised */
    rt_block block;
    rt_watch *watch;      /* NULL: promised */
    unsigned char *edges; /* bytes before the first page and behind the last, as both know them */
    bool dirty;
    bool looked;      /* the program looked at it: that is why it goes home */
    uint32_t entries; /* calls that found it here */
    const void *key;  /* rt_habit's */
    const void *user; /* the region that wrote it last */
    unsigned found;   /* rt_held_find's: the number of the question */
};

/* Cells of a box along d. */
static inline int64_t rt_box_size(const rt_box *box, int d) {
    return box->hi[d] - box->lo[d];
}

/* An array of these cells, some of which the use accesses, not on the device yet; NULL: it cannot
 * be held.
 */
rt_held *rt_held_hold(rt_device *device, const rt_extent *cells, const rt_use *use);
/* The first that meets these bytes, or NULL. */
rt_held *rt_held_first(const rt_device *device, uintptr_t lo, uintptr_t hi);
/* Its cells are the program's again, and it is forgotten. */
void rt_held_send_home(rt_held *held);
/* It is held no more; its memory is freed by rt_held_reap, once no thread waits for its pages. */
void rt_held_forget(rt_held *held);
void rt_held_reap(rt_device *device);
/* For the report: a call found it here, which saved so many bytes of copies. */
void rt_held_count(double saved);
/* Ends the process: the only copy of its values is lost. */
void rt_held_die(const rt_held *held, const rt_error *why);

/* The cell at so many bytes from the first one; of what is between rows, the last before. */
void rt_held_cell(const rt_held *held, int64_t bytes, int64_t cell[3]);

size_t rt_edge_bytes(const rt_held *held);
/* What the program has there now is what both have. */
void rt_edges_learn(const rt_held *held);
bool rt_edges_are_known(const rt_held *held);
/* What a call wrote there: from the device to the use's own memory, and from there to the
 * program's. */
bool rt_edges_download(rt_use *use, rt_error *why);
void rt_edges_write(const rt_use *use);

#endif
