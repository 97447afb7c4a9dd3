/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which memory the sweeps of a region share, as plain data. A view is a buffer of a sweep's grid;
 * views whose memory meets are parts of one array, and have their places in it.
 */
#ifndef STENCILRT_ARRAYS_H
#define STENCILRT_ARRAYS_H

#include "runtime/call/boxes.h"
#include "runtime/call/shape.h"

typedef struct rt_view {
    uint32_t sweep, grid; /* its grid among the sweep's */
    bool read, written;   /* in any step of this call; neither: not touched */
    bool masked;          /* written, and under a condition */
    rt_box box;           /* cells accessed, by the view's own coordinates */
    int64_t stride[3];    /* host bytes; 0 where all cells accessed are at coordinate 0 */
    unsigned char *origin;
    uintptr_t lo, hi; /* host bytes accessed */
    uint32_t array;
    int64_t at[3]; /* where its cell (0,0,0) is in the array */
} rt_view;

/* An array of the step that kernels of whole steps make: see whole.h. */
typedef struct rt_whole_array {
    uint32_t of[2];     /* its buffers among the arrays below; the second UINT32_MAX: it has one */
    int64_t zero[2][3]; /* where the box's cell (0,0,0) was in them */
    uint32_t broadcast;
    int64_t advance;  /* bytes that a step moves on */
    uint32_t becomes; /* the array that it is after a step: itself, or one that becomes it */
    /* Of three buffers that take turns, u[t-1], u[t] and u[t+1], two arrays are made, of which this
     * is one: `older` is that of u[t-1], and has u[t+1] for its second buffer. Else UINT32_MAX. */
    uint32_t older;
    bool written;
} rt_whole_array;

typedef struct rt_whole {
    bool can;          /* may these kernels be launched? */
    bool eager;        /* the largest degrees are wanted, whatever is expected of them */
    int64_t chunk;     /* what the options force; 0: the runtime's choice */
    bool swaps;        /* has an array two buffers that take turns? */
    bool last;         /* is the last step to be made by the sweeps' own kernels? */
    bool decides;      /* does each step decide by what it reduces whether there is another? */
    uint32_t bt;       /* largest degree that fits */
    int64_t extent[3]; /* of the step's box */
    int64_t *places;   /* of each sweep, three: of a cell at a place, where that is in the box */
    rt_whole_array *arrays;
    bool padded;   /* are the arrays laid out for these kernels? */
    rt_box *bare;  /* of each of the arrays below, the cells without pads */
    rt_grid *wide; /* of each of the arrays below, the layout that these kernels want */
} rt_whole;

typedef struct rt_arrays {
    const stencilrt_region *region;
    const stencilrt_call *call;
    rt_view *views;
    uint32_t nviews;
    uint32_t *first_view; /* of each sweep; its views are in the order of its origins */
    uint32_t count;
    rt_shape shape;    /* a grid and a buffer an array, for transfers: the rest is unused */
    rt_boxes *uploads; /* of each array: the cells read before they are written */
    rt_boxes *results; /* and those that are written */
    rt_whole whole;
} rt_arrays;

/* Needs rt_validate. Fails when a device could give another result than the original loops.
 * `max_bt`: no kernel of whole steps of a larger degree; 1: none. rt_arrays_free also after a
 * failure. */
bool rt_arrays_make(rt_arrays *a, const stencilrt_region *region, const stencilrt_call *call,
                    int64_t max_bt, rt_error *why);
/* Without kernels of whole steps from here on, and so without the pads that they want. */
bool rt_arrays_unpad(rt_arrays *a, rt_error *why);
/* The time loop ended after so many steps: what these write is what there is to bring back. */
void rt_arrays_stop(rt_arrays *a, int64_t steps);
void rt_arrays_free(rt_arrays *a);

/* views.c: the view that a port of a sweep accesses in a step. */
rt_view *rt_port_view(const rt_arrays *a, uint32_t sweep, const stencilrt_port *port, int64_t step);

/* Are these two buffers that a grid of a sweep rotates through? */
bool rt_views_share_layout(const rt_view *x, const rt_view *y);

/* Cells that the view accesses at an offset, by its own coordinates. */
rt_box rt_view_cells(const rt_arrays *a, const rt_view *v, const int32_t *offset);
/* The same cells by the coordinates of the view's array. */
rt_box rt_view_box(const rt_arrays *a, const rt_view *v, const int32_t *offset);
/* sure.c: is what sweeps write only under conditions accessed in any case, too? Of what they read
 * so, arrays with cells that are not become `careful`. */
bool rt_arrays_are_sure(rt_arrays *a, rt_error *why);
/* The bytes of an array's cells in a set. */
double rt_arrays_bytes(const rt_arrays *a, uint32_t array, const rt_boxes *set);

#endif
