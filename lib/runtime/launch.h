/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The time loop on the device.
 */
#ifndef STENCILRT_LAUNCH_H
#define STENCILRT_LAUNCH_H

#include "device.h"
#include "shape.h"

enum { RT_MARK_START = 2, RT_MARK_END = 3 }; /* around all launches; 0 and 1 are transfers' */

/* Queues every launch of every step. `blocks`: the device memory of each buffer. */
bool rt_launch_steps(rt_device *device, void *kernel, const rt_shape *shape, const rt_block *blocks,
                     rt_error *why);

#endif
