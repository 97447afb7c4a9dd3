/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which memory the sweeps of a region share, as plain data. A view is a buffer of a sweep's grid.
 * Views whose memory meets are parts of one array, and each has a place in it.
 */
#ifndef STENCILRT_ARRAYS_H
#define STENCILRT_ARRAYS_H

#include "runtime/call/boxes.h"
#include "runtime/call/shape.h"

typedef struct rt_view {
    uint32_t sweep, grid; /* `grid`: its number in the sweep */
    bool read, written;   /* in any step of this call; if neither, the view is not touched */
    bool masked;          /* some cells are written under a condition */
    rt_box box;           /* the cells that are accessed, in the view's coordinates */
    int64_t stride[3];    /* bytes on the host; 0 if all cells are at coordinate 0 */
    unsigned char *origin;
    uintptr_t lo, hi; /* the bytes accessed on the host */
    uint32_t array;
    int64_t at[3]; /* the place of the view's cell (0,0,0) in the array */
} rt_view;

/* An array of a step, for kernels of whole steps: see whole.h. */
typedef struct rt_whole_array {
    /* Its buffers, as numbers of the arrays below. The second is UINT32_MAX if there is only one.
     */
    uint32_t of[2];
    int64_t zero[2][3]; /* where cell (0,0,0) of the box is in each buffer */
    uint32_t broadcast;
    int64_t advance;  /* the bytes by which it moves in a step, */
    int64_t moved;    /* and by which it moved in steps before the launches */
    uint32_t becomes; /* the array that takes its place after a step; itself, if it stays */
    /* Three buffers that take turns, u[t-1], u[t] and u[t+1], are described as two arrays. `older`
     * is set in one of them: it is the number of the other, that of u[t-1], whose second buffer is
     * u[t+1]. Otherwise UINT32_MAX. */
    uint32_t older;
    bool written;
    /* Not 0: a trace, of which each step sets an element, the next one along dimension `along` - 1.
     * It counts as read: launches write it where it is. Its cells keep their names, for several
     * traces may be one array. */
    uint32_t along;
} rt_whole_array;

typedef struct rt_whole {
    bool can;             /* may these kernels be launched? */
    bool eager;           /* the largest degrees are wanted, whatever speed is expected */
    int64_t chunk;        /* forced by options; 0: the runtime chooses */
    int64_t most_on_chip; /* steps of a launch that keeps the grid on chip: as in rt_shape */
    bool on_chip;         /* may a kernel keep all arrays on chip? */
    bool swaps;           /* has an array two buffers that take turns? */
    /* The sweeps' own kernels make so many steps first, and at least so many at the end. */
    int64_t first, last;
    bool ghosts_apart; /* do some ghost cells lie apart from their array? */
    bool may_end;      /* may a part end with a launch of these kernels? */
    bool decides;      /* does each step's reduction decide whether there is a next step? */
    uint32_t bt;       /* largest degree that fits */
    int64_t extent[3]; /* extent of the step's box, without margins */
    int64_t *places;   /* three for each sweep: the box's coordinates of a cell at a place */
    rt_whole_array *arrays;
    bool padded;   /* are the arrays laid out for these kernels? */
    rt_box *bare;  /* for each of the arrays below: its cells without pads */
    rt_grid *wide; /* for each of the arrays below: the layout that these kernels need */
} rt_whole;

typedef struct rt_arrays {
    const stencilrt_region *region;
    const stencilrt_call *call;
    rt_view *views;
    uint32_t nviews;
    uint32_t *first_view; /* for each sweep; its views are in the order of its origins */
    uint32_t count;
    rt_shape shape;    /* for transfers: an array is a grid with one buffer; the rest is unused */
    rt_boxes *uploads; /* for each array: the cells that are read before they are written */
    rt_boxes *results; /* for each array: the cells that are written */
    rt_whole whole;
} rt_arrays;

/* Call rt_validate first. Fails if a device could give another result than the original loops.
 * `max_bt` is the largest degree of a kernel of whole steps; 1: no such kernel. Call rt_arrays_free
 * also after a failure. */
bool rt_arrays_make(rt_arrays *a, const stencilrt_region *region, const stencilrt_call *call,
                    int64_t max_bt, rt_error *why);
/* join.c: numbers the arrays from 0 on. Views that are not touched get UINT32_MAX. */
void rt_arrays_join(rt_arrays *a);
/* brick_arrays.c: lays out the arrays in bricks if the region's only sweep has them. */
bool rt_arrays_lay_out_bricks(rt_arrays *a, rt_error *why);
/* Gives up kernels of whole steps, and the pads that they need. */
bool rt_arrays_unpad(rt_arrays *a, rt_error *why);
/* The time loop, or this part of it, ended after so many steps. What these steps wrote becomes the
 * results. */
bool rt_arrays_stop(rt_arrays *a, int64_t steps, rt_error *why);
void rt_arrays_free(rt_arrays *a);

/* views.c: the view that a port of a sweep accesses in a step. */
rt_view *rt_port_view(const rt_arrays *a, uint32_t sweep, const stencilrt_port *port, int64_t step);
/* Not 0: a trace, of which each step sets an element, the next one along this dimension, less 1. */
uint32_t rt_view_along(const rt_arrays *a, const rt_view *v);
bool rt_array_has_trace(const rt_arrays *a, uint32_t array);

/* The view before this one that the call accesses and that is another buffer through which the same
 * grid of a sweep rotates; NULL: there is none. Few steps leave buffers out. */
const rt_view *rt_view_before(const rt_arrays *a, uint32_t number);

/* The cells that the view accesses at an offset, in the view's coordinates. */
rt_box rt_view_cells(const rt_arrays *a, const rt_view *v, const int32_t *offset);
/* The same cells in the coordinates of the view's array. */
rt_box rt_view_box(const rt_arrays *a, const rt_view *v, const int32_t *offset);
/* Is it a grid of cells as they were before the sweep? */
static inline bool rt_grid_is_before(const stencilrt_region *sweep, uint32_t grid) {
    return grid < 32 && sweep->before >> grid & 1;
}
/* .. that the sweep reads from a copy? */
static inline bool rt_grid_is_copied(const stencilrt_region *sweep, uint32_t grid) {
    return rt_grid_is_before(sweep, grid) && !(sweep->flags & STENCILRT_UNWRITTEN);
}

/* sure.c. For cells that are only accessed under conditions, the arrays become `careful`; for those
 * that are written, `unsure`. */
bool rt_arrays_look(rt_arrays *a, rt_error *why);
/* Call rt_arrays_look before. Is no array `unsure`? */
bool rt_arrays_are_sure(const rt_arrays *a);
/* The bytes of an array's cells in a set. */
double rt_arrays_bytes(const rt_arrays *a, uint32_t array, const rt_boxes *set);

#endif
