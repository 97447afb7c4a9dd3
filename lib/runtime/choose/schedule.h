/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How launches make up a call's steps, as plain data.
 *
 * After the loops, the program may read every buffer that they write. After T steps, buffer T mod 2
 * holds step T and the other one step T - 1. So a kernel of one step makes the last step: it leaves
 * both. The T - 1 steps before are made by the launches that the compiler's estimates call cheapest
 * for the call's extents, in falling degrees.
 *
 * A launch of bT steps reads one buffer and writes another. The halo of the latter must be the one
 * that the program would see bT steps later. If bT is odd, the program's other buffer has this
 * halo. If bT is even, a copy of the buffer that is read has it: a scratch buffer. There is at most
 * one scratch buffer for each of the two buffers.
 *
 * If more steps follow, the step before the last one is not wanted (rt_shape.goes_on). Then any
 * kernel may make the last step. The number of steps must be a multiple of the buffers' number.
 *
 * A resident kernel makes most steps in one launch, or in several launches of odd numbers of steps.
 * It needs no scratch buffer. All blocks of a launch must run at once, otherwise it is not made.
 *
 * If the steps read an older level, a launch reads two buffers and writes two others. All buffers
 * have the same halo, so each can replace each. There are four: those of the program, and scratch
 * buffers.
 */
#ifndef STENCILRT_SCHEDULE_H
#define STENCILRT_SCHEDULE_H

#include "runtime/call/arrays.h"
#include "runtime/device/device.h"
#include "runtime/slab/pieces.h"

/* The launch parameters of a resident kernel: region.h. */
typedef struct rt_chip {
    int64_t own[3], margin[3], round;
    /* The steps of all launches; the most steps of one launch, an odd number. */
    int64_t steps, most;
    double seconds; /* expected time of a step */
} rt_chip;

/* Successive launches of one kernel. */
typedef struct rt_run {
    uint32_t kernel; /* its number in the region's table */
    int64_t launches;
    rt_chip chip; /* for a resident kernel */
    /* For a stream kernel. */
    int64_t chunk;
    uint32_t grid[3];
} rt_run;

typedef struct rt_schedule {
    rt_run runs[RT_MAX_KERNELS + 1]; /* in their order */
    uint32_t count;
    /* If kernels make parts of a step: how each is launched. The run of them all has the first
     * one's number. */
    rt_run parts[RT_MAX_PARTS];
    double seconds; /* expected; 0: not known */
    /* Is a second buffer needed beside buffer 0 or 1 of the grid that rotates? With an older level:
     * beside the first or the second of those that are needed. */
    bool scratch[2];
    rt_span span; /* the rows of a window that are wanted; hi is 0: all rows */
} rt_schedule;

/* Schedules all `steps` of the call, by kernels that the device can run. `scratch`: may scratch
 * buffers be used? */
bool rt_schedule_make(rt_schedule *schedule, const rt_device *device, void *module,
                      const rt_shape *shape, bool scratch, rt_error *why);
/* The same for several sweeps, whose arrays may allow kernels of whole steps. Kernel 0 stands for
 * the sweeps' own kernels, which make one step together. They come last; if arrays take turns, they
 * make at least one step. `chunk` and `eager` are as in rt_shape. False only if host memory ran
 * out. */
bool rt_schedule_make_whole(rt_schedule *schedule, const rt_device *device, void *module,
                            const rt_arrays *arrays, int64_t chunk, bool eager, rt_error *why);
/* The same for `steps` steps alone, of which the last ones are as good as others. */
bool rt_schedule_make_some(rt_schedule *schedule, const rt_device *device, void *module,
                           const rt_arrays *arrays, int64_t steps, rt_error *why);
/* Does it launch a blocked kernel? */
bool rt_schedule_is_blocked(const rt_schedule *schedule);

/* on_chip.c: finds the run of a resident kernel that makes most of the call's steps: the fastest
 * one that fits. False if there is none, or if it is not expected to be faster. `others`: the
 * seconds that other kernels are expected to take; 0: not known. */
bool rt_chip_choose(rt_run *run, const rt_device *device, void *module, const rt_shape *shape,
                    double others);
/* The same of whole steps: it makes all steps of the box. */
bool rt_chip_choose_whole(rt_run *run, const rt_device *device, void *module, const rt_shape *box,
                          const rt_arrays *arrays, double others);
/* The expected seconds of a run's launches. */
double rt_chip_seconds(const rt_run *run, const rt_shape *shape);
/* Bytes of the memory through which its blocks exchange words, of so many grids at most. */
size_t rt_chip_bytes(const rt_run *run, const stencilrt_region *region, uint32_t grids,
                     size_t elem_size);
/* The steps of its next launch, when `left` steps are left. */
int64_t rt_chip_steps(const rt_run *run, int64_t left);
/* The schedule's run of a resident kernel, or NULL. */
const rt_run *rt_schedule_chip(const rt_schedule *schedule, const rt_shape *shape);

#endif
