/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reports one entry of a region: as a line with STENCILOPT_REPORT=each, else as part of the summary
 * (summary.h).
 */
#ifndef STENCILRT_REPORT_H
#define STENCILRT_REPORT_H

#include "runtime/choose/schedule.h"
#include "runtime/resident/held.h"

/* How a region ran on a device. */
typedef struct rt_outcome {
    const char *driver, *device;
    rt_run main;  /* the launches of the largest degree */
    bool blocked; /* of several sweeps: by kernels of whole steps, which `main` is then one of */
    double kernel_seconds, transfer_seconds;
    rt_kept kept;
    bool later; /* it is not the first part of its entry */
} rt_outcome;

/* Of one sweep that runs alone. */
void rt_report_ran(const stencilrt_region *region, const rt_shape *shape,
                   const rt_outcome *outcome);
/* Of several sweeps. `done`: the steps of a part; 0: all were made. */
void rt_report_sweeps(const stencilrt_region *region, const stencilrt_call *call, int64_t done,
                      const rt_outcome *outcome);
void rt_report_declined(const stencilrt_region *region, const rt_error *why);

#endif
