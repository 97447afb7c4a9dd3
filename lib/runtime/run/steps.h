/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Launches of kernels of whole steps (STENCILRT_STEPS). A launch reads one copy of each array that
 * is written, and writes another. Where an array has one buffer the other copy is scratch, and they
 * are exchanged after each launch. Where it has two that take turns, these are the copies; after an
 * even number of steps they are exchanged.
 *
 * Values that the CPU computes for each step are asked for one after another before a launch. Where
 * the loop turns out to end earlier, nothing is launched: the values of the steps that are left
 * remain for the sweeps' own kernels.
 *
 * Where each step decides by what it reduces, a launch runs ahead, and the program is asked after
 * each of its steps once it has ended. If the loop ended before the last of them, the result is not
 * taken: the source still is what the launch began with, and the sweeps' own kernels make the steps
 * up to the last one again, which leaves all arrays as the program does. So they make all others
 * from a step on whose reductions depend on the order of cells.
 */
#ifndef STENCILRT_RUN_STEPS_H
#define STENCILRT_RUN_STEPS_H

#include "runtime/call/arrays.h"
#include "runtime/choose/schedule.h"
#include "runtime/device/reduce.h"
#include "runtime/resident/uses.h"
#include "runtime/run/part.h"

/* These kernels want all arrays in one layout, with pads. Where an array stays on the device, it
 * has a layout of its own: launches work on a copy, and its results return to it after them. */
typedef struct rt_steps {
    const rt_arrays *arrays;
    const rt_uses *uses;
    rt_schedule schedule;
    rt_block *blocks;    /* of each array, as the call has it */
    rt_block *copies;    /* of arrays that stay; else address 0 */
    rt_block *scratch;   /* of arrays with one buffer that are written; else address 0 */
    rt_reducer *reducer; /* of the step's reductions, where each decides by them */
    /* Of the steps that were asked for and not made: how many, and their values, so many a step;
     * and what the program said after the last one, not 0 where the loop ends. */
    int64_t asked;
    uint64_t *values;
    size_t nvalues;
    int exit;
    bool stopped; /* the sweeps' own kernels make all steps that are left */
} rt_steps;

/* The call's schedule with kernels of whole steps, which the caller frees. NULL: they may not run,
 * or do not pay, or there is no memory for the schedule. */
rt_steps *rt_steps_plan(rt_device *device, void *module, const rt_arrays *arrays);
/* Memory for the launches of a planned schedule. False: there is none; then nothing is kept. */
bool rt_steps_begin(rt_steps *steps, rt_device *device, const rt_uses *uses, rt_block *blocks);
void rt_steps_end(rt_steps *steps, rt_device *device);

/* Once the arrays are on the device: are both buffers of those that take turns equal where no step
 * writes? The host's memory is up to date, but for arrays that stay. */
bool rt_steps_halos_are_equal(const rt_steps *steps, rt_device *device);
/* Then: fills copies and scratch. */
bool rt_steps_fill(const rt_steps *steps, rt_device *device, rt_error *why);
/* Queues all launches of whole steps of the schedule, or those of a part; *made: so many steps.
 * Then results return to the arrays that stay. */
bool rt_steps_launch(rt_steps *steps, rt_device *device, void *module, rt_pace *pace, int64_t *made,
                     rt_error *why);

#endif
