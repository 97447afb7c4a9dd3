/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Slabs of a region of one sweep that lean: no row is computed twice, however many steps a pass
 * has.
 *
 * Slabs come in the order of their rows. A launch of a slab computes its rows, moved down by what
 * the steps so far reach. So it reads rows of this slab's launch before it, and rows that the same
 * launch of the slab before left there:
 *
 *     step 0   | slab 0 | slab 1 | slab 2 |       what comes in
 *     step 1   |slab 0|  slab 1 | slab 2    |
 *     step 2   |slb 0|  slab 1 | slab 2      |    what goes out
 *
 * The two buffers through which launches rotate suffice: a launch overwrites rows of the launch
 * before the one that it reads from, and only those that nobody reads any more. One window on the
 * device has the rows that a slab's launches compute and read. Between two slabs its rows move down
 * in the device's memory. Rows come and go through memory of their own, while others are computed.
 */
#ifndef STENCILRT_LEAN_H
#define STENCILRT_LEAN_H

#include "runtime/run/window.h"

typedef struct rt_lean {
    rt_device *device;
    const rt_shape *whole;
    const rt_cut *cut;
    const stencilrt_call *from, *to; /* the arrays that a pass reads, and those that it writes */
    rt_window in, window, out;       /* `out` has the rows of one buffer at a time */
    rt_block *results;               /* what goes out, of each buffer */
    rt_block *home;                  /* the window's buffers at the beginning of each slab */
    rt_block scratch[2];
    int64_t height; /* rows of the window */
    bool reserved;  /* has what goes out its memory? */
    bool filled;    /* has the window what all slabs read? */
    bool sending;   /* results may be on their way to the host, before RT_MARK_SENT */
    bool planned;   /* the schedule is that of these: */
    int64_t steps;
    bool goes_on;
    int64_t moved[2]; /* the rows by which the last launch, and the one before, are moved */
    rt_part *quiet;   /* of launches */
    double seconds;   /* of kernels */
} rt_lean;

/* Can the call run in slabs that lean? Call rt_window_may first. */
bool rt_lean_may(const stencilrt_region *region, const rt_shape *whole);
/* May another device begin the next pass before this one has ended? */
bool rt_lean_may_follow(const stencilrt_region *region);
/* Chooses slabs and passes for so many bytes on each of `lanes` devices, each of which makes a
 * pass; *seconds: what they take. False if none fit, or there is no pass for each device. */
bool rt_lean_cut(rt_cut *cut, const stencilrt_region *region, const rt_shape *whole,
                 const rt_device *device, size_t room, unsigned lanes, double *seconds,
                 rt_error *why);
/* The device must be taken, and entered. Call rt_lean_end also after a failure. */
bool rt_lean_begin(rt_lean *l, rt_device *device, const stencilrt_region *region,
                   const rt_shape *whole, const rt_cut *cut, rt_part *quiet, rt_error *why);
/* A slab of a pass; `slab` counts up to the number of slabs, and once more for the last results.
 * `from` and `to` must be set; they may be the same arrays. */
bool rt_lean_slab(rt_lean *l, int64_t slab, int64_t steps, bool goes_on, rt_error *why);
/* After so many slabs, rt_lean_slab: has this pass stored what slab number `next` of the next pass
 * reads? Rows that the next pass stores then are no longer read by this one. */
bool rt_lean_is_ahead(const rt_lean *l, int64_t slabs, int64_t next);
void rt_lean_end(rt_lean *l);

#endif
