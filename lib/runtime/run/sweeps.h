/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A region of several sweeps on a device. All arrays are uploaded, each step launches each sweep's
 * kernel, and what was written is copied back. The host's memory is only read until nothing can
 * fail any more, as in alone.c.
 */
#ifndef STENCILRT_SWEEPS_H
#define STENCILRT_SWEEPS_H

#include "runtime/call/arrays.h"
#include "runtime/report/report.h"
#include "runtime/resident/uses.h"
#include "runtime/run/part.h"

/* Describes what the call writes, in case it runs in parts. */
bool rt_sweeps_begin_part(rt_part *part, const rt_arrays *arrays, const rt_uses *uses,
                          rt_error *why);
/* Takes the device, and gives it back. */
bool rt_sweeps_run(rt_device *device, rt_arrays *arrays, rt_uses *uses, rt_part *part,
                   rt_outcome *outcome, rt_error *why);

#endif
