/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One time step as a whole: its sweeps in order, and which of their grids are the same array. Plain
 * data, from which follow the versions of each array, the halo of a step, and the rows that a
 * kernel of several whole steps keeps.
 *
 * The step has a box: 0 <= c[d] < extent[d], dimension 0 being x. The extents are run-time values;
 * the sweeps' domains lie in the box at constant distances from its faces. A view says where a
 * sweep's grid lies in its array: the sweep's cell c is the array's cell c + at, and the array's
 * cells are named by the box's coordinates. Cells of an array outside the box are its halo: the
 * step reads them and never writes them.
 *
 * That two grids are one array, and where they lie, is an assumption. The compiler makes it by base
 * pointers and constant distances; the runtime, which knows all addresses, checks it before it
 * launches a kernel of whole steps, and otherwise launches a kernel a sweep.
 *
 * A version is what an array holds from one sweep that writes it to the next: version 0 of an array
 * is what the step begins with. A sweep reads the newest version that there is before it, but of
 * swapped arrays, at level 0, version 0. Tiles overlap: a tile is loaded with the halo of all its
 * steps, and the interval in which a version is right shrinks with each read.
 */
#ifndef STENCILOPT_STEP_H
#define STENCILOPT_STEP_H

#include "model/stencil.h"

enum {
    ST_MAX_SWEEPS = ST_LIMIT(16, 3), /* of a step that is taken whole */
    ST_MAX_ARRAYS = ST_LIMIT(16, 2),
    ST_MAX_VERSIONS = ST_LIMIT(32, 4)
};

typedef struct st_array {
    char name[32];
    st_type type;
    uint32_t broadcast; /* bit d: does not extend along dimension d */
    bool written;
    /* Two buffers that take turns: the step reads the one and writes the other. The runtime makes
     * sure that the halos of both are equal; else no kernel of whole steps is launched. */
    bool swapped;
} st_array;

typedef struct st_view {
    int32_t array;
    int32_t at[ST_MAX_RANK];
} st_view;

typedef struct st_sweep {
    const st_stencil *stencil;                   /* of this one sweep; not owned */
    st_view *views;                              /* one a grid of the stencil */
    int32_t low[ST_MAX_RANK], high[ST_MAX_RANK]; /* its domain: low <= c < extent - high */
} st_sweep;

typedef struct st_step {
    int rank;
    st_array *arrays;
    size_t narrays;
    st_sweep *sweeps; /* in program order */
    size_t nsweeps;
} st_step;

/* What one version of an array is. */
typedef struct st_version {
    int32_t array;
    int32_t sweep;  /* that makes it; -1: the step begins with it */
    int32_t lag;    /* planes behind the newest plane of version 0s, along the stream */
    int32_t oldest; /* planes from its making to its last read, along the stream */
    int32_t low[ST_MAX_RANK], high[ST_MAX_RANK]; /* how far its right cells lie inside a tile */
} st_version;

/* What a kernel of whole steps needs to know, with the last dimension (`stream`) streamed. */
typedef struct st_dependences {
    st_version versions[ST_MAX_VERSIONS];
    size_t nversions;
    int32_t lag;                  /* of the step: planes from input to output */
    int32_t halo[ST_MAX_RANK][2]; /* a step's: cells lost at each side of a tile */
} st_dependences;

st_step *st_step_create(int rank);
void st_step_destroy(st_step *step);
/* The version that an access of a sweep reads, or -1. */
int32_t st_step_version_read(const st_step *step, const st_dependences *d, size_t sweep,
                             int32_t access);
/* False if there are too many versions. */
bool st_step_dependences(const st_step *step, int stream, st_dependences *out);
void st_step_print(const st_step *step, FILE *out);

#endif
