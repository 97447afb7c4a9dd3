/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Several devices share the grid of a region of several sweeps.
 */
#ifndef STENCILRT_SHARE_SWEEPS_H
#define STENCILRT_SHARE_SWEEPS_H

#include "runtime/report/report.h"
#include "runtime/run/part.h"

/* Runs the call on several devices, beside `device`, if that is possible, and expected to be
 * faster. The program's arrays are only read until nothing can fail any more. `uses` are those of
 * `device` alone. *asked: the program was asked about steps, which it answers only once. */
bool rt_share_sweeps(rt_device *device, rt_arrays *arrays, const stencilrt_call *call,
                     rt_uses *uses, rt_part *part, rt_outcome *outcome, bool *asked, rt_error *why);

#endif
