/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A region of one sweep whose arrays do not fit into the device's memory. Its rows flow through the
 * device, slab by slab, several times (slab/cut.h).
 */
#ifndef STENCILRT_FLOW_H
#define STENCILRT_FLOW_H

#include "runtime/choose/cost.h"
#include "runtime/report/report.h"
#include "runtime/run/part.h"

/* Takes the device and gives it back. The program's arrays are only read until nothing can fail any
 * more. `call`: the region's. `most`: the region runs only if that takes fewer seconds. If it
 * cannot run in slabs, *why is not changed. */
bool rt_flow_run(rt_device *device, const stencilrt_call *call, const rt_shape *shape, double most,
                 rt_part *part, rt_outcome *outcome, rt_error *why);

#endif
