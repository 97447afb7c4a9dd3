/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Launches of kernels of whole steps (STENCILRT_STEPS). A launch reads one copy of each array that
 * is written, and writes another copy. If the array has one buffer, the other copy is scratch, and
 * both are exchanged after each launch. If it has two buffers that take turns, they are the copies;
 * they are exchanged after an even number of steps. Two such buffers may differ in cells that no
 * step writes. Then each buffer has scratch of its own, so that these cells stay where they are.
 *
 * Kernels may instead make parts of a step. Then a step is a launch of each of them, and after each
 * launch the arrays that it wrote are exchanged.
 *
 * A resident kernel may make all these steps, by few launches.
 *
 * The CPU computes some values for each step. Before a launch it is asked for the values of all its
 * steps. If the loop turns out to end earlier, it is not launched. The values are kept for launches
 * of fewer steps, and for the sweeps' own kernels, which make the last steps that are left.
 *
 * In some regions each step's reductions decide about the next step. There a launch runs ahead.
 * Afterwards the program is asked about each of its steps. If the loop ended before the last of
 * them, the result is not used. The source still is as it was before the launch. Launches of fewer
 * steps and then the sweeps' own kernels make the steps up to the last one again, and leave all
 * arrays as the program does.
 * If the reductions of a step depend on the order of cells, these kernels make all steps from it
 * on.
 *
 * Where the step copies cells to ghost cells, launches leave these alone. Afterwards they get what
 * the cells of the window have. The sweeps' own kernels make the first steps, where ghost cells may
 * have anything, and some of the last ones.
 */
#ifndef STENCILRT_RUN_STEPS_H
#define STENCILRT_RUN_STEPS_H

#include "runtime/call/arrays.h"
#include "runtime/choose/schedule.h"
#include "runtime/device/reduce.h"
#include "runtime/resident/uses.h"
#include "runtime/run/part.h"

/* State of these launches. The kernels need all arrays in one layout, with pads. An array that
 * stays on the device has its own layout. So launches work on a copy, and its results return to the
 * array afterwards. */
typedef struct rt_steps {
    const rt_arrays *arrays;
    const rt_uses *uses;
    rt_schedule schedule;
    rt_block *blocks; /* of each array, in the call's layout */
    rt_block *copies; /* of arrays that stay; address 0 for others */
    /* Of arrays with one buffer that are written, and if `apart` is set, of each of two buffers;
     * address 0 for others. */
    rt_block *scratch;
    bool borrows;        /* scratch comes later, by rt_steps_borrow */
    bool apart;          /* two buffers that take turns differ where no step writes */
    rt_reducer *reducer; /* reductions of the steps, if they decide about the next step */
    /* Steps that were asked for and not made: their number, their values, so many a step, and the
     * program's answer after the last one. The answer is not 0 if the loop ends. */
    int64_t asked;
    uint64_t *values;
    size_t nvalues;
    int exit;
    rt_block words; /* that blocks of a resident kernel exchange; address 0: there is none */
    int64_t epoch;  /* exchanges so far */
    bool stopped; /* the sweeps' own kernels make all steps that are left */
} rt_steps;

/* The call's schedule with kernels of whole steps, which the caller frees. NULL if they may not
 * run, do not pay, or memory for the schedule ran out. */
rt_steps *rt_steps_plan(rt_device *device, void *module, const rt_arrays *arrays);
/* Makes a schedule for the steps that the call has now. False as above. */
bool rt_steps_plan_again(rt_steps *steps, rt_device *device, void *module);
/* Is a kernel that keeps all arrays on chip in the schedule? */
bool rt_steps_stay_on_chip(const rt_steps *steps);
/* Allocates memory for the launches of a schedule. If there is none, returns false and keeps
 * nothing. */
bool rt_steps_begin(rt_steps *steps, rt_device *device, const rt_uses *uses, rt_block *blocks);
void rt_steps_end(rt_steps *steps, rt_device *device);

/* To be called when the arrays are on the device. For arrays that take turns: compares the buffers
 * where no step writes, and prepares for two that differ. False if three buffers differ, kernels
 * expect equal buffers, or there is no memory. The host's memory is up to date, except for arrays
 * that stay. */
bool rt_steps_look_at_halos(rt_steps *steps, rt_device *device);
/* To be called next, or after the first steps: fills copies and scratch. */
bool rt_steps_fill(const rt_steps *steps, rt_device *device, rt_error *why);
/* Gives it scratch: that of `from`, whose launches are done, or NULL, if it fits. False if there is
 * no memory. */
bool rt_steps_borrow(rt_steps *steps, rt_steps *from, rt_device *device);
/* Queues all launches of whole steps of the schedule, or those of a part; *made is their number of
 * steps. Then results return to the arrays that stay. */
bool rt_steps_launch(rt_steps *steps, rt_device *device, void *module, rt_pace *pace, int64_t *made,
                     rt_error *why);

#endif
