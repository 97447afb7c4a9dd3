/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One time step as a whole: its sweeps in order, and which of their grids are the same array. Plain
 * data. dependences.h says what follows from it.
 *
 * The step has a box: 0 <= c[d] < extent[d], dimension 0 being x. The extents are run-time values;
 * the sweeps' domains lie in the box at constant distances from its faces. All cells are named by
 * the box's coordinates, those of sweeps and those of arrays. A view says where a sweep's grid lies
 * in its array: at the sweep's cell c, an access with offset o reads the array's cell c + o + at.
 * Cells of an array outside the box are its halo: the step reads them and never writes them.
 *
 * That two grids are one array, and where they lie, is an assumption. The compiler makes it by base
 * pointers and constant distances; the runtime, which knows all addresses, checks it before it
 * launches a kernel of whole steps, and otherwise launches a kernel a sweep.
 *
 * A nest of loops may set cells at several places, as layers at opposite faces. Then it is as many
 * sweeps, each with the stores to one place. They read what there was before the first of them.
 *
 * Indices that are brought back at a face (ST_CLAMP, ST_MIRROR, ST_SYMMETRIC) read cells near it:
 * an offset there is another one, by the cell's distance from the face. A dimension whose indices
 * come round (ST_WRAP) has no faces: cells outside the box are those of the opposite side, and each
 * sweep makes them as it makes all others, so all sweeps cover the box there.
 *
 * Three forms of arrays that take turns:
 *   u[t+1] of u[t], two buffers      one array, swapped; both levels are it
 *   u[t+1] of u[t] and the cell's    two arrays that become each other: `newer` is level 0, `older`
 *   u[t-1], which is overwritten     level 1, which the sweep reads and writes in place
 *   the same with three buffers      levels older, newer, older; `older` is swapped too
 */
#ifndef STENCILOPT_STEP_H
#define STENCILOPT_STEP_H

#include "model/stencil.h"

enum {
    ST_MAX_SWEEPS = ST_LIMIT(24, 3), /* of a step that is taken whole */
    ST_MAX_ARRAYS = ST_LIMIT(24, 2)
};

typedef struct st_array {
    char name[32];
    st_type type;
    uint32_t broadcast; /* bit d: does not extend along dimension d */
    int32_t advance;    /* cells along x that a step moves on: w[t], which has no other extent */
    bool written;
    /* trace[t]: each step sets the next element along its grid's `along`; no step reads it. Kernels
     * have its pointer as those of arrays that are only read. */
    bool trace;
    /* Two buffers that take turns: the step reads the one and writes the other. Kernels of whole
     * steps take cells that no step writes from the buffer of the step. Of three buffers, the
     * runtime makes sure that all are equal there; else no such kernel is launched. */
    bool swapped;
    int32_t becomes; /* the array that it is in the next step: itself, or one that takes turns */
    /* In a part of a step (part.h), the array's number among those of the step, and whether it is
     * the buffer that the step writes, of two that take turns. Else its own number. */
    int32_t number;
    bool newer;
} st_array;

typedef struct st_view {
    int32_t array[ST_MAX_BUFFERS]; /* of each of the grid's levels */
    int32_t at[ST_MAX_RANK];
    /* Bit d, of a layer at a face of d: the grid's cells are at the opposite one. They are as far
     * from that as `at` says, the box's extent added, or where the layer is at the high face taken
     * away. */
    uint32_t opposite;
} st_view;

/* What a sweep reduces is of the step only if that decides by it (st_step's `decides`); else the
 * last step alone needs it, which the sweeps' own kernels make. The domain of a sweep, along d: low
 * <= c < extent - high; of a layer at the low face (at_low's bit d), low <= c < high; of one at the
 * high face, extent - low <= c < extent - high; of a cell or row at a place that the program
 * computes (at_place's bit d), 0 <= c - place < 1. The runtime finds the place by addresses. All
 * places of a sweep lie in the box. */
typedef struct st_sweep {
    st_stencil *stencil; /* of its nest; not owned */
    size_t nest;         /* the nest's number: nests are in program order */
    uint32_t stores;     /* bit i: has the nest's store i, the root's being 0 */
    st_view *views;      /* one a grid of the stencil */
    int32_t low[ST_MAX_RANK], high[ST_MAX_RANK];
    uint32_t at_low, at_high, at_place;
} st_sweep;

/* Copies to ghost cells (ghosts.h). The window is the box less `margin` cells at each face: along a
 * dimension with margins, cells outside it have what the cells of the opposite side have. This
 * holds from step `first` on. Where it held at the end of a step, `last` more steps of the program
 * make all cells as they are there. */
typedef struct st_ghosts {
    uint32_t copies; /* bit i: sweep i is one; 0: there are none */
    int32_t margin[ST_MAX_RANK][2];
    int first, last;
    int32_t least; /* cells of the window along each dimension, at least */
} st_ghosts;

/* What each iteration of a time loop makes; or what is made once, outside any loop. */
typedef struct st_step {
    int rank;
    char where[160]; /* source location and function */
    /* One sweep that the time loop, if there is one, has no other work beside: it may be blocked in
     * time by itself. */
    bool single;
    bool once; /* the step is made but once, by a loop that was put around it */
    /* The CPU needs in each step what its sweeps reduce: it decides by that whether the loop goes
     * on, or computes of it what is used behind the loop. So kernels of whole steps reduce it, too,
     * in each of their steps. */
    bool decides;
    const char *unknown; /* why `arrays` and views are not known, in a few words; or NULL */
    st_array *arrays;
    size_t narrays;
    st_stencil **nests; /* of loops, in program order; not owned */
    size_t nnests;
    st_sweep *sweeps; /* of the nests, in their order */
    size_t nsweeps;
    st_ghosts ghosts;
    bool owns; /* .. the stencils of its sweeps */
} st_step;

st_step *st_step_create(int rank);
void st_step_destroy(st_step *step); /* NULL: nothing */
/* Appends an array that becomes itself, and returns its number. */
int32_t st_step_add_array(st_step *step, const char *name, st_type type);
/* Appends a nest that is a sweep over the whole box, whose views are at 0 of array 0; valid until
 * the next. */
st_sweep *st_step_add_sweep(st_step *step, st_stencil *stencil);
/* Makes sweeps of each nest's stores to different places. Once all nests are one sweep each, whose
 * domain is that of the root's store. */
void st_step_split(st_step *step);
/* Is the sweep a layer at a face, or at a place that the program computes? */
bool st_sweep_is_layer(const st_sweep *w);
/* The first sweep of a nest; NULL: it has none. */
const st_sweep *st_step_first_sweep(const st_step *step, size_t nest);
/* Forgets the arrays and where grids lie in them. */
void st_step_forget_arrays(st_step *step, const char *why);

/* The array that an access or a store of the sweep is to. */
int32_t st_sweep_array(const st_sweep *w, int32_t grid, int32_t level);
/* Does the sweep set an element of a trace, and nothing else? */
bool st_step_traces(const st_step *step, size_t sweep);
/* Is what the sweep reduces made in whole steps, too? */
bool st_step_reduces(const st_step *step, size_t sweep);
/* Stores of a sweep: how many; the node, grid and level of number i. */
size_t st_sweep_stores(const st_sweep *w);
st_store st_sweep_store(const st_sweep *w, size_t i);
/* The cell that an access reads, counted from the one that the sweep writes; 0 along dimensions
 * that its grid does not have. */
void st_sweep_offset(const st_sweep *w, int32_t access, int32_t offset[ST_MAX_RANK]);
/* The rule by which its index along d is brought back, at the face that its offset leads to. At
 * others than ST_WRAP, the offset less the one that the program writes, `away` cells (0, 1, ..)
 * from that face. */
st_rule st_sweep_rule(const st_sweep *w, int32_t access, int d);
int32_t st_sweep_bend(const st_sweep *w, int32_t access, int d, int32_t away);
/* Do indices along d come round? */
bool st_step_wraps(const st_step *step, int d);
/* For an array that does not extend along x, w[3] or w[t + 3]: the element, in step 0. */
int32_t st_sweep_element(const st_sweep *w, int32_t access);
/* Does the sweep read the access for one of its stores? */
bool st_sweep_reads(const st_sweep *w, int32_t access);
/* Which nodes the sweep's stores need: used[n]. */
void st_sweep_find_nodes(const st_sweep *w, bool *used);
/* Does the sweep read the access for this store? What it reduces is made with its first store. In
 * 1-D and 2-D: for any of its stores? */
bool st_step_store_reads(const st_step *step, size_t sweep, size_t store, int32_t access);
/* How far the cell that the sweep writes is from its own cell: the same for all its stores. */
const int32_t *st_sweep_shift(const st_sweep *w);

/* Is the array handed from step to step? Others are only read. */
bool st_step_flows(const st_step *step, int32_t array);

/* Has the array two buffers that take turns? Each has cells of its own that no step writes. So what
 * an odd number of steps keeps there is not what the first step began with. */
bool st_step_alternates(const st_step *step, int32_t array);

/* Do its cells outside the domain of the one sweep that writes it stay as they are? That sweep is
 * made in each step. */
bool st_step_is_settled(const st_step *step, int32_t array);

/* Does a step begin with its cells? It does not where the step makes all that it reads, and the
 * array is settled: one sweep writes it, and its other cells stay as they are. */
bool st_step_arrives(const st_step *step, int32_t array);

/* joined.c: a step of two sweeps as one sweep between two buffers, with the reductions of both: the
 * first sweep makes an array, and the second one copies it back, or only reduces. The caller owns
 * the stencil, whose grid that is written has two buffers; other grids and ports are those of the
 * first sweep. NULL: the step is none. */
st_stencil *st_step_joined(const st_step *step);

/* Why no kernel can make whole steps, or NULL: a sentence. */
const char *st_step_why_not_whole(const st_step *step);
/* Along d, how near to a face of its domain indices are brought back, but those that come round:
 * the most cells that one has to go. */
int32_t st_sweep_bends(const st_sweep *w, int d);

#endif
