/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A call that is cut into slabs of rows, and into passes of steps. Arithmetic only.
 *
 * Rows are counted along the last dimension, which kernels stream. In a pass each slab makes some
 * steps, and knows nothing of the other slabs meanwhile. So it begins with more rows than it owns:
 *
 *                 |<- margin ->|<-- own -->|<- margin ->|
 *                 |<-------------- domain ------------->|
 *
 * The domain is computed as if it were the whole grid. Rows beyond its ends then have wrong values,
 * except at an end of the grid itself. A step reads `reach` rows beyond the row that it writes, so
 * wrong values come `reach` rows closer in each step. The margin is steps * reach rows, and `face`
 * more: the rows that the slab owns are right after the pass.
 *
 * A slab owns no fewer rows than the margin. So the margins of a slab lie in the two slabs next to
 * it, and the results of a slab can be stored as soon as the next slab has begun.
 *
 * If rows come round, the last slab is next to the first one. Row -1 is then the last row, and a
 * domain goes on beyond the ends of the grid; it has no more rows than the grid.
 */
#ifndef STENCILRT_CUT_H
#define STENCILRT_CUT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct rt_cut {
    int64_t rows;   /* of the grid's domain, 1 or more */
    int64_t reach;  /* rows beyond a row that a step reads in what steps write */
    int64_t face;   /* rows at a domain's ends that are wrong from the beginning; 0 of one sweep */
    bool round;     /* do rows come round, from the last one to the first one? */
    int64_t steps;  /* 1 or more */
    int64_t period; /* steps after which all buffers are back in their places */
    bool full;      /* has the last of several passes as many steps at least? */
    int64_t unit;   /* a multiple of the period by which large passes are preferred; 0: any */
    int64_t slabs;  /* of about equal heights */
    int64_t height; /* not 0: of all slabs but the first one, which has what is left */
    /* Of slabs of different heights: the rates of their devices, one each; NULL: heights are equal.
     */
    const double *rates;
    int64_t pass; /* steps of each pass but the last one: a multiple of the period */
} rt_cut;

/* The rows r with lo <= r < hi. */
typedef struct rt_rows {
    int64_t lo, hi;
} rt_rows;

typedef struct rt_slab {
    rt_rows own, domain;
    int64_t reach, margin; /* rows; a margin may have fewer where the grid ends */
} rt_slab;

/* How fast the rows of a window are computed. */
typedef struct rt_speed {
    double row;  /* seconds of a row and a step */
    double hide; /* the share of a launch that comes after its first and last chunks of rows */
    double chunk, beside; /* rows of a chunk, and those that it computes beside its own */
} rt_speed;

/* What the choice of a cut compares, in seconds. */
typedef struct rt_cut_cost {
    rt_speed compute;
    const rt_speed
        *of_devices; /* the same if n devices share the rows: [n - 1]; NULL: it is equal */
    double copy_in;  /* of a row */
    double copy_out;
    double pass; /* of a slab and a pass: launches, and waiting */
    /* What the CPU takes to queue the work of a slab in a pass, and in a step. It does so while
     * devices compute. */
    double queue, queue_step;
    unsigned lanes;  /* devices that compute slabs side by side, one after the other; 0: one */
    bool overlapped; /* are rows copied while others are computed? */
    int64_t degree; /* steps of launches that compute only what is wanted (pieces.h); 0: all rows */
} rt_cut_cost;

int64_t rt_cut_passes(const rt_cut *cut);
/* The steps of pass number `pass`. */
int64_t rt_cut_steps(const rt_cut *cut, int64_t pass);
/* The rows of the first slab. */
int64_t rt_cut_first_rows(const rt_cut *cut);
/* A slab in a pass of `steps` steps. */
rt_slab rt_cut_slab(const rt_cut *cut, int64_t slab, int64_t steps);
/* The next number of steps of a pass to try, after `pass`: those below the unit, and then multiples
 * of it. */
int64_t rt_cut_next(const rt_cut *cut, int64_t pass);
/* Seconds that the cut takes, if one slab is computed after the other, or a few side by side. */
double rt_cut_seconds(const rt_cut *cut, const rt_cut_cost *cost);

/* Chooses slabs and pass, so that no domain has more than `most` rows. False if that is impossible.
 */
bool rt_cut_to_fit(rt_cut *cut, int64_t most, const rt_cut_cost *cost);
/* With a slab on each device: are rows that others wait for to be computed and sent first, while
 * the device computes the rest? In chunks, or these rows alone, which takes longer in all, and is
 * done sooner. Where the copies are short, either costs more than it saves. */
typedef enum rt_early { RT_EDGES_LATE, RT_EDGES_CHUNKS, RT_EDGES_NARROW } rt_early;
rt_early rt_cut_early(const rt_cut *cut, const rt_cut_cost *cost);
/* Chooses slabs and pass for so many devices, which compute side by side; copies are those of
 * margins, between passes. There are fewer slabs if a slab has too few rows. */
void rt_cut_among(rt_cut *cut, int64_t devices, const rt_cut_cost *cost);

#endif
