/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A region of one sweep on several devices of a driver. Each has a slab of the grid (slab/cut.h)
 * for the whole call. Between passes, devices whose slabs are next to each other exchange rows.
 */
#ifndef STENCILRT_SHARE_H
#define STENCILRT_SHARE_H

#include "runtime/report/report.h"
#include "runtime/run/part.h"

/* Should the call run on several devices, beside `device`? `uses` are those of `device` alone. */
bool rt_share_wants(rt_device *device, const stencilrt_region *region, const rt_shape *shape,
                    rt_uses *uses);
/* Takes all devices and gives them back. Arrays may stay there, each device's rows. The program's
 * arrays are only read until nothing can fail any more. */
bool rt_share_run(rt_device *device, const stencilrt_call *call, const rt_shape *shape,
                  rt_uses *uses, rt_part *part, rt_outcome *outcome, rt_error *why);

#endif
