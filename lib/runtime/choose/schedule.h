/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How a call's steps are made of launches, as plain data.
 *
 * Every buffer that the program's loops write is live afterwards: after T steps, buffer T mod 2
 * holds step T and the other one step T - 1. So the first T - 1 steps are made of those launches
 * that the compiler's estimates call cheapest for the call's extents, in falling degrees, and the
 * last one, by a kernel of one step, leaves both.
 *
 * A launch of bT steps reads one buffer and writes another, whose halo must be the one that the
 * program would see bT steps later. If bT is odd, that is the program's other buffer; if it is
 * even, it is a copy of the buffer that is read: a scratch buffer. There is at most one for
 * each of the two buffers.
 *
 * Where the steps read an older level, a launch reads two buffers and writes two others. All have
 * the same halo, so that any may stand for any: there are four, those of the program and scratch.
 */
#ifndef STENCILRT_SCHEDULE_H
#define STENCILRT_SCHEDULE_H

#include "runtime/call/arrays.h"
#include "runtime/device/device.h"

/* Launches of one kernel, one after the other. */
typedef struct rt_run {
    uint32_t kernel; /* number in the region's table */
    int64_t launches;
    /* of a stream kernel */
    int64_t chunk;
    uint32_t grid[3];
} rt_run;

typedef struct rt_schedule {
    rt_run runs[RT_MAX_KERNELS + 1]; /* in their order */
    uint32_t count;
    bool scratch[2]; /* is a second buffer needed beside buffer 0 or 1 of the grid that rotates?
                        With an older level: the first, the second of those needed */
} rt_schedule;

/* All `steps` of the call with the kernels that the device can run; `scratch`: may any be used? */
bool rt_schedule_make(rt_schedule *schedule, const rt_device *device, void *module,
                      const rt_shape *shape, bool scratch, rt_error *why);
/* The same of several sweeps, whose arrays may take kernels of whole steps. Kernel 0 stands for the
 * sweeps' own kernels, all of them a step, which come last: where arrays take turns, at least once.
 * `chunk`: as in rt_shape; `eager` likewise. False: for lack of host memory. */
bool rt_schedule_make_whole(rt_schedule *schedule, const rt_device *device, void *module,
                            const rt_arrays *arrays, int64_t chunk, bool eager, rt_error *why);
/* Is any of its kernels a blocked one? */
bool rt_schedule_is_blocked(const rt_schedule *schedule);

#endif
