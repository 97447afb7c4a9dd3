/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Steps of several sweeps on arrays that do not fit into the device's memory.
 */
#ifndef STENCILRT_FLOW_SWEEPS_H
#define STENCILRT_FLOW_SWEEPS_H

#include "runtime/report/report.h"
#include "runtime/run/part.h"

/* Runs the call in bands that pass through the device, if that takes at most `most` seconds. If the
 * call cannot be cut, *why is not changed. */
bool rt_flow_sweeps(rt_device *device, const rt_arrays *arrays, const stencilrt_call *call,
                    double most, rt_part *part, rt_outcome *outcome, rt_error *why);

#endif
