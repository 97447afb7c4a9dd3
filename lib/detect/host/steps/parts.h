/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Between the files that make a time step of several sweeps. Each reads the sweeps and what the
 * files before it found: locate.c which grids are one array, buffers.c which buffer of an array is
 * written, domains.c where each sweep lies. A function that refuses sets `why` and returns false.
 */
#ifndef STENCILOPT_HOST_STEPS_PARTS_H
#define STENCILOPT_HOST_STEPS_PARTS_H

#include "detect/host/region.h"
#include "model/step.h"

enum { HOST_MOST_CELLS = 64 }; /* between two grids of one array, along a dimension */

typedef struct host_whole_array {
    poly origin[ST_MAX_BUFFERS]; /* of the first grid that is in it, a buffer each */
    int buffers;
    poly stride[ST_MAX_RANK];
    int32_t at[ST_MAX_RANK]; /* the program's indices of the cell at the origin */
    bool placed;             /* `at` is known; .. */
    bool settled;            /* .. and by a sweep that writes the array */
} host_whole_array;

/* `first` and `last` bound the sweep's domain by the program's indices, `last` less the extent that
 * all sweeps have in common. So both are of a layer at the high face. Of a sweep that writes cells
 * at several places, this is the domain of its first store. */
typedef struct host_whole_sweep {
    int32_t first[ST_MAX_RANK], last[ST_MAX_RANK];
    uint32_t high; /* bit d: the sweep is a layer at the high face of d */
    bool placed;   /* the sweep is a cell at a place that the program computes */
} host_whole_sweep;

typedef struct host_whole {
    const host_steps *s;
    st_step *step;
    host_whole_array arrays[ST_MAX_ARRAYS];
    host_whole_sweep sweeps[ST_MAX_SWEEPS];
    poly extent[ST_MAX_RANK]; /* of the first sweep that has all dimensions */
    const char *why;
    const char *why_buffers; /* unless copies to ghost cells are left out */
} host_whole;

static inline bool host_whole_refuse(host_whole *w, const char *why) {
    w->why = why;
    return false;
}

/* buffers.c */

/* Changes a sweep's region: the buffers of a grid that take turns, and the levels at which they are
 * accessed. What was level `by` becomes level 0. */
void host_turn_buffers(host_region *r, size_t grid, int by);
/* Where the sweep has the level at which it writes the grid; NULL if it does not write it. */
int32_t *host_level_written(st_stencil *s, int32_t grid);
/* For all arrays: the last level becomes the buffer that the step writes, the one before that level
 * the one that the last step wrote. */
bool host_find_written(host_whole *w);
/* Two buffers of which the step reads both, u[t+1] of u[t] and u[t-1], become two arrays; so do
 * three. */
bool host_part_arrays(host_whole *w);

/* The levels and buffers of a region, to put them back where no step can be made. */
typedef struct host_kept_buffers {
    int32_t *levels;
    poly *origins; /* ST_MAX_BUFFERS of each grid */
} host_kept_buffers;

host_kept_buffers host_keep_buffers(host_region *r);
void host_put_back_buffers(host_region *r, const host_kept_buffers *k);

/* locate.c: is the grid a trace, of which a sweep of one cell, row or column sets others in each
 * step? */
bool host_is_trace(const st_stencil *s, size_t grid);
/* The array of each grid, and where in it the grid is. */
bool host_find_step_arrays(host_whole *w);

/* domains.c: the extent of the first sweep of all dimensions; the box of the step, and each sweep's
 * domain in it. */
bool host_find_common_extent(host_whole *w);
bool host_find_domains(host_whole *w);

/* nests.c: notes why the sweeps are no step. */
bool host_refuse_steps(host_steps *s, st_reason reason, const char *detail);
/* Adds the sweeps of a nest with this outermost loop. */
bool host_add_nest(host_steps *s, br_loop l);

/* walks.c: makes sweeps of stores that walk one array in different directions. False: there are too
 * many. */
bool host_divide_nest(host_steps *s, host_region *r);
/* Do sweeps in one nest certainly access a cell that another one of them writes? */
bool host_meets_in_nest(const host_steps *s);

#endif
