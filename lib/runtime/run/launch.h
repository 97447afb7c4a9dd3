/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The time loop on the device.
 */
#ifndef STENCILRT_LAUNCH_H
#define STENCILRT_LAUNCH_H

#include "runtime/choose/schedule.h"
#include "runtime/device/reduce.h"
#include "runtime/run/steps.h"

/* The device memory of each buffer, in the order of the call's origins: each with the halo of the
 * program's buffer. Launches swap a buffer with its scratch; its domain is where its entry says. */
typedef struct rt_memory {
    rt_block *blocks;
    bool same_halo;      /* of the two buffers of the grid that rotates: every byte is equal */
    rt_block scratch[2]; /* as in rt_schedule; address 0: none */
    rt_block words;      /* that a resident kernel's blocks exchange; address 0: none */
    uint64_t slots;      /* of one of several sweeps: where its kernel reduces to */
} rt_memory;

/* Queues every launch of the schedule, or those of a part. */
bool rt_launch_steps(rt_device *device, void *module, const rt_shape *shape,
                     const rt_schedule *schedule, rt_memory *memory, rt_part *part, rt_error *why);

/* A sweep of a region that has several. Of its shape are set: region, call, extent and each grid's
 * stride, its origin being 0, for a block's address is where its cell (0,0,0) is. */
typedef struct rt_sweep {
    rt_shape shape;
    rt_memory memory;
} rt_sweep;

/* Where the sweep's buffers are now: `blocks` are those of the arrays. */
void rt_sweep_place(const rt_arrays *arrays, uint32_t number, const rt_block *blocks, rt_sweep *s);

/* Queues every launch of `count` sweeps a step: `steps` of them, or as many as are asked for, or
 * those of a part. First those of kernels of whole steps: `whole`, or NULL. */
bool rt_launch_sweeps(rt_device *device, void *module, rt_sweep *sweeps, uint32_t count,
                      int64_t steps, rt_steps *whole, rt_reducer *reducer, rt_part *part,
                      rt_error *why);

#endif
