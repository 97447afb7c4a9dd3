/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A held array from inside: its life (life.c), its calls (held.c), its edges (edges.c), which are
 * bytes that are not watched, and looks at some of its pages (looks.c).
 */
#ifndef STENCILRT_HELD_ARRAY_H
#define STENCILRT_HELD_ARRAY_H

#include "runtime/call/extent.h"
#include "runtime/resident/held.h"
#include "runtime/watch/watch.h"

/* Bytes of a held array that only the program has: those before the array's first whole page and
 * behind its last one, and pages in between that the program looked at. They are the same on the
 * device, but not watched. `known`: what the device has, as a distance in the array's copy of all
 * edges. */
typedef struct rt_edge {
    uintptr_t lo, hi;
    size_t known;
} rt_edge;

enum { RT_ENDS = 2, RT_EDGES = RT_ENDS + RT_WATCH_OPEN };

struct rt_held {
    rt_held *next, *before;
    bool listed;
    rt_device *device;
    rt_grid grid;
    rt_buffer buffer;
    rt_shape shape;        /* for transfers, with the buffer */
    uintptr_t lo, hi;      /* bytes of the box */
    uintptr_t first, last; /* whole pages; for a promised array all its bytes */
    rt_block block;
    rt_watch *watch;        /* NULL: the array is promised */
    rt_edge edge[RT_EDGES]; /* the first RT_ENDS are those at its ends, perhaps empty */
    uint32_t edges;
    unsigned char *known; /* a copy of the edges */
    size_t known_bytes, known_room;
    size_t idle; /* bytes of edges compared since the program last wrote there */
    bool parts;  /* may pages in between become edges? */
    /* Of a promised array (spans.c): what the pieces cost that the program fetched since the last
     * call; a copy of the array, or NULL; is it what the device has? */
    size_t pieces;
    unsigned char *copy;
    bool copied;
    bool dirty;
    bool looked;      /* the program looked at it, so it goes home */
    bool outgrown;    /* a call needs more rows on each device, so it goes home */
    uint32_t entries; /* the number of calls that found it here */
    const void *key;  /* the key of rt_habit */
    const void *user; /* the last region that wrote it */
    pthread_t thread; /* the last one that used it */
    unsigned found;   /* the number of rt_held_find's last question */
    /* Of an array that several devices hold: its parts, in the order of their rows along dimension
     * `cut`. Each has a grid and a block of its own, and is not listed. */
    rt_held *part;
    unsigned nparts; /* 0: one device holds it */
    int cut;
    /* Of a part: the array; its row that is the part's row 0; the rows of which the part has the
     * only copy; and those that it has as their owner does. If the array's rows come round, row -1
     * is its last row, and so on. */
    const rt_held *of;
    int64_t row;
    rt_rows own, valid;
};

/* Cells of the box along d. */
static inline int64_t rt_box_size(const rt_box *box, int d) {
    return box->hi[d] - box->lo[d];
}

/* A new held array of these cells, some of which the use `which` accesses. It is not on the device
 * yet. NULL if it cannot be held. `members`: as in rt_held_begin. */
rt_held *rt_held_hold(rt_device *device, const rt_extent *cells, const rt_use *uses, size_t count,
                      size_t which, const rt_members *members);
/* Lays out the held array's cells, or a part's, so that cells are aligned which the use has
 * aligned.
 */
bool rt_held_lay_out(rt_held *held, const rt_use *use);
/* The first held array that meets these bytes, or NULL. */
rt_held *rt_held_first(const rt_device *device, uintptr_t lo, uintptr_t hi);
/* Gives its cells back to the program, and forgets the array. */
void rt_held_send_home(rt_held *held);
/* The array is no longer held. rt_held_reap frees its memory when no thread waits for its pages. */
void rt_held_forget(rt_held *held);
void rt_held_reap(rt_device *device);
/* Ends the process: the only copy of its values is lost. */
void rt_held_die(const rt_held *held, const rt_error *why);

/* The cell at this distance from the first cell, in bytes. For a byte between rows, the last cell
 * before it. */
void rt_held_cell(const rt_held *held, int64_t bytes, int64_t cell[3]);

/* Begins with the ends as edges, which hold what the device gets. Reserves memory for others. */
bool rt_edges_begin(rt_held *held);
void rt_edges_learn(const rt_held *held);
/* One edge more, of whole pages. The device has what is at `content`. Allocates nothing. False if
 * there is no room. */
bool rt_edges_add(rt_held *held, uintptr_t lo, uintptr_t hi, const void *content);
/* Uploads what the program wrote in edges. False if that is impossible, or if the array had better
 * come home. */
bool rt_edges_refresh(rt_held *held);
/* The smallest box with all cells that have bytes in [lo, hi). */
rt_box rt_edge_box(const rt_held *held, uintptr_t lo, uintptr_t hi);
/* The program looked at the array. True if it has the pages again that it looked at, as edges, and
 * the array is still held. */
bool rt_held_open(rt_held *held);
/* Answers a look, so or by sending the array home. */
void rt_held_look(rt_held *held);
/* Brings what a call wrote in the edges: from the device to the use's own memory. rt_edges_write
 * writes it to the program's memory. */
bool rt_edges_download(rt_use *use, rt_error *why);
void rt_edges_write(const rt_use *use);

#endif
