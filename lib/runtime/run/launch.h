/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The time loop on the device.
 */
#ifndef STENCILRT_LAUNCH_H
#define STENCILRT_LAUNCH_H

#include "runtime/choose/schedule.h"
#include "runtime/device/reduce.h"
#include "runtime/run/ahead.h"

/* Queues all launches of the schedule, or those of a part. Rows that other windows wait for are
 * done at RT_MARK_EDGES, perhaps in the device's queue 1, which then follows the launches before by
 * RT_MARK_BEFORE. */
bool rt_launch_steps(rt_device *device, void *module, const rt_shape *shape,
                     const rt_schedule *schedule, rt_memory *memory, rt_part *part, rt_error *why);

/* Queues the launches of `count` sweeps in each step from `first` on: up to `steps`, as many as the
 * program asks for, or those of a part. Kernels of whole steps come first: `whole`, or NULL; or
 * those that keep the grid on chip: `ahead`, or NULL. */
bool rt_launch_sweeps(rt_device *device, void *module, rt_sweep *sweeps, uint32_t count,
                      int64_t first, int64_t steps, rt_steps *whole, rt_ahead *ahead,
                      rt_reducer *reducer, rt_part *part, rt_error *why);

#endif
