/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A region of one sweep on a device. Its kernels may be blocked in time.
 */
#ifndef STENCILRT_ALONE_H
#define STENCILRT_ALONE_H

#include "runtime/call/shape.h"
#include "runtime/report/report.h"
#include "runtime/resident/uses.h"
#include "runtime/run/part.h"

/* Takes the device and gives it back. The host's memory is only read until nothing can fail any
 * more. */
bool rt_alone_run(rt_device *device, rt_shape *shape, rt_uses *uses, rt_part *part,
                  rt_outcome *outcome, rt_error *why);

#endif
