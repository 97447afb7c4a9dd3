/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Some rows of a region of several sweeps, on a device. They are computed by the region's kernels
 * as if they were all rows (call/lines.h).
 */
#ifndef STENCILRT_BAND_H
#define STENCILRT_BAND_H

#include "runtime/call/lines.h"
#include "runtime/device/reduce.h"
#include "runtime/run/copies.h"
#include "runtime/run/launch.h"
#include "runtime/slab/cut.h"

typedef struct rt_band {
    rt_device *device;
    void *module;
    const rt_arrays *whole;
    const rt_lines *lines;
    const rt_copies
        *copies; /* of arrays that are written, which the band reads and writes; or NULL */
    rt_slab slab;
    stencilrt_call call, *sweeps; /* of these rows */
    void **origins;
    rt_arrays arrays;   /* numbered as those of the whole */
    int64_t (*move)[3]; /* for each array: what makes its cells those of the whole's array */
    int64_t turned; /* where rows come round: the grid's row that is row 0 of the band's arrays */
    rt_uses uses;   /* none: no array stays on the device */
    rt_block *blocks;
    rt_steps *steps;     /* kernels of whole steps; NULL: none run */
    bool began, blocked; /* have they memory? do they run in the pass in hand? */
    bool planned;
    int64_t made; /* steps of the pass in hand */
    rt_reducer reducer;
} rt_band;

/* Can rows of the call be computed by themselves? `lines` are those of the arrays. */
bool rt_band_may(const rt_arrays *arrays);
/* May kernels of whole steps run? They cannot tell a row's number in the whole. */
bool rt_band_may_be_whole(const rt_arrays *arrays);
/* Seconds of a row of so many rows, in a step: by kernels of whole steps, or not; each launch of
 * the sweeps' own kernels takes so many seconds more. rt_device_load must have been called. */
double rt_band_speed(const rt_device *device, const rt_arrays *whole, const rt_lines *lines,
                     int64_t rows, bool blocked, double launch);
/* The cut of the call, without slabs and passes. */
rt_cut rt_band_cut(const rt_arrays *arrays, const rt_lines *lines);
/* Sets up a band of rows, with the arrays of `from`, or `copies` of them, and fills its memory.
 * Call rt_band_end also after a failure. The device must be taken, and entered. */
bool rt_band_begin(rt_band *band, rt_device *device, const rt_arrays *whole, const rt_lines *lines,
                   const stencilrt_call *from, const rt_copies *copies, const rt_slab *slab,
                   rt_error *why);
/* The same in two steps. Between them rt_band_find_uses finds out which arrays the band uses, for
 * those that are on the device, or stay there. */
bool rt_band_make(rt_band *band, rt_device *device, const rt_arrays *whole, const rt_lines *lines,
                  const stencilrt_call *from, const rt_copies *copies, const rt_slab *slab,
                  rt_error *why);
bool rt_band_find_uses(rt_band *band, rt_error *why);
bool rt_band_fill(rt_band *band, rt_error *why);
/* What the program had in the band's own rows is kept where the call may run in parts. */
void rt_band_add_results(const rt_band *band, rt_part *part);
/* Bands with copies of arrays need scratch only while they compute. To be called when the steps of
 * `from` are done, if it has any, and before those of the band. */
bool rt_band_borrow(rt_band *band, rt_band *from, rt_error *why);
/* Makes a schedule for a pass of so many steps. */
bool rt_band_plan(rt_band *band, int64_t steps, rt_error *why);
/* Queues the steps first <= step < end of a pass, and RT_MARK_EDGES. */
bool rt_band_launch(rt_band *band, int64_t first, int64_t end, rt_part *part, rt_error *why);
/* Do others need what the band has in this array? */
bool rt_band_gives(const rt_band *band, uint32_t array);
/* The device's address of a row of an array, with all cells in it; in 2-D, of plane number `plane`
 * of rows. And the number of these planes. */
uint64_t rt_band_row(const rt_band *band, uint32_t array, int64_t row, int64_t plane);
int64_t rt_band_planes(const rt_band *band, uint32_t array);
rt_rows rt_band_rows(const rt_band *band, uint32_t array); /* that are on the device */
/* Copies the results of the band's own rows, but of arrays that stay, to memory of the host; and
 * from there to the program's arrays. */
bool rt_band_stage(rt_band *band, rt_error *why);
/* Copies them to the copies. */
bool rt_band_fetch(const rt_band *band, rt_error *why);
void rt_band_write_back(const rt_band *band);
void rt_band_end(rt_band *band);

#endif
