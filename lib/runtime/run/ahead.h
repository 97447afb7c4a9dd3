/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Launches of resident kernels for a region whose step is one sweep with reductions, or whose time
 * loop ends by a condition. The launches make an odd number of steps each, from one of the sweep's
 * two buffers to the other.
 *
 * A step may also be two sweeps that such a kernel makes as one (lib/model/joined.c). If the second
 * one copies the result back, a launch goes from the array that the first sweep reads to the one
 * that it writes, and the result is copied back after the launch.
 *
 * If the number of steps is known, launches make all but the last ones, and reduce nothing. The
 * sweep's own kernel makes the last step, reduces, and leaves both buffers as the program does.
 *
 * If the program decides after each step by what the step reduced, a launch runs ahead. Each of its
 * steps reduces to slots of its own, and the program is asked about each step afterwards. If the
 * loop ended within the launch, its result is not used: the buffer that it read still is as it was.
 * A launch of fewer steps and then the sweep's own kernel make the steps up to the last one again.
 * If a value depends on the order of cells, the sweep's kernel makes all steps from that one on.
 *
 * The more steps the loop has made, the more a launch makes: a longer launch saves waits, but more
 * steps are made in vain at the end.
 *
 * If the program decides by something else, it is asked about a launch's steps before the launch.
 */
#ifndef STENCILRT_RUN_AHEAD_H
#define STENCILRT_RUN_AHEAD_H

#include "runtime/run/steps.h"
#include "runtime/run/sweep.h"

typedef struct rt_ahead {
    const rt_arrays *arrays;
    rt_run run;
    rt_reducer *reducer; /* set before rt_ahead_launch */
    /* The sweep with the region's kernels, and what the choice of a kernel needs of its call. */
    stencilrt_region region;
    stencilrt_port *ports; /* if the result is copied back: the region's, with one grid for both */
    uint32_t source;       /* .. and the sweep's grid that it reads */
    rt_shape shape;
    const rt_block *blocks; /* of the arrays */
    bool reduces;           /* does each step reduce? Then the program is asked after a launch */
    rt_block words, slots;  /* slots of all steps of a launch */
    int64_t most;           /* steps of a launch */
    int64_t epoch;
    /* Steps that were asked for and not made, and the program's answer after the last one. */
    int64_t asked;
    int exit;
} rt_ahead;

/* How resident kernels run this call; rt_ahead_free frees it. NULL: there are none, they may not
 * run, or are not expected to be faster than others: those of `whole`, or if that is NULL the
 * sweep's own. */
rt_ahead *rt_ahead_plan(rt_device *device, void *module, const rt_arrays *arrays,
                        const rt_steps *whole);
void rt_ahead_free(rt_ahead *ahead);
/* To be called when the arrays are on the device. False if the buffers differ in cells that no step
 * writes, or there is no memory. */
bool rt_ahead_begin(rt_ahead *ahead, rt_device *device, const rt_uses *uses,
                    const rt_block *blocks);
void rt_ahead_end(rt_ahead *ahead, rt_device *device);
/* Queues all launches, or those of a part; *made is their number of steps. */
bool rt_ahead_launch(rt_ahead *ahead, rt_device *device, void *module, const rt_sweep *sweep,
                     rt_pace *pace, int64_t *made, rt_error *why);
/* Waits for the launches. False if a block waited for another one in vain. */
bool rt_ahead_is_complete(const rt_ahead *ahead, rt_device *device, rt_error *why);

#endif
