/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Launches of kernels of whole steps (STENCILRT_STEPS). A launch reads one copy of each array that
 * is written, and writes another. Where an array has one buffer the other copy is scratch, and they
 * are exchanged after each launch. Where it has two that take turns, these are the copies; after an
 * even number of steps they are exchanged.
 */
#ifndef STENCILRT_RUN_STEPS_H
#define STENCILRT_RUN_STEPS_H

#include "runtime/call/arrays.h"
#include "runtime/choose/schedule.h"
#include "runtime/run/part.h"

typedef struct rt_steps {
    const rt_arrays *arrays;
    rt_schedule schedule;
    rt_block *blocks;  /* of each array; a launch exchanges them with.. */
    rt_block *scratch; /* ..these: address 0 where none is needed */
} rt_steps;

/* Scratch, where the schedule of the call has kernels of whole steps. False: there are none to
 * launch, or there is no memory; then nothing is kept. *steps is to be freed all the same. */
bool rt_steps_begin(rt_steps *steps, rt_device *device, void *module, const rt_arrays *arrays,
                    rt_block *blocks, int64_t chunk, bool eager);
void rt_steps_end(rt_steps *steps, rt_device *device);

/* Makes the copies equal, once the arrays are on the device. */
bool rt_steps_copy(const rt_steps *steps, rt_device *device, rt_error *why);
/* Queues all launches of whole steps of the schedule, or those of a part; *made: so many steps. */
bool rt_steps_launch(rt_steps *steps, rt_device *device, void *module, rt_pace *pace, int64_t *made,
                     rt_error *why);

#endif
