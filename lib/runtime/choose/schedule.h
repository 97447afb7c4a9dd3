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
 * A resident kernel makes most steps in one launch, or several of odd numbers of steps, which need
 * no scratch. All blocks of a launch run at once, or it is not made.
 *
 * Where the steps read an older level, a launch reads two buffers and writes two others. All have
 * the same halo, so that any may stand for any: there are four, those of the program and scratch.
 */
#ifndef STENCILRT_SCHEDULE_H
#define STENCILRT_SCHEDULE_H

#include "runtime/call/arrays.h"
#include "runtime/device/device.h"

/* How a resident kernel is launched: region.h. */
typedef struct rt_chip {
    int64_t own[3], margin[3], round;
    int64_t steps, most; /* of all launches; of one: an odd number */
    double seconds;      /* expected, a step */
} rt_chip;

/* Launches of one kernel, one after the other. */
typedef struct rt_run {
    uint32_t kernel; /* number in the region's table */
    int64_t launches;
    rt_chip chip; /* of a resident kernel */
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

/* on_chip.c: the run of a resident kernel that makes most of the call's steps: the fastest one that
 * fits. False: there is none. */
bool rt_chip_choose(rt_run *run, const rt_device *device, void *module, const rt_shape *shape);
/* Bytes of the memory that its blocks exchange words through. */
size_t rt_chip_bytes(const rt_run *run, const rt_shape *shape);
/* Steps of its next launch, of so many that are left. */
int64_t rt_chip_steps(const rt_run *run, int64_t left);
/* The schedule's run of a resident kernel, or NULL. */
const rt_run *rt_schedule_chip(const rt_schedule *schedule, const rt_shape *shape);

#endif
