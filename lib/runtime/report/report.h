/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reports one entry of a region: with STENCILOPT_REPORT=each as a line, otherwise as part of the
 * summary (summary.h).
 */
#ifndef STENCILRT_REPORT_H
#define STENCILRT_REPORT_H

#include "runtime/choose/schedule.h"
#include "runtime/report/words.h"

/* How a region ran on a device. */
typedef struct rt_outcome {
    const char *driver, *device;
    rt_run main;  /* the launches of the kernel with the largest degree */
    bool blocked; /* for several sweeps: kernels of whole steps ran, and `main` is one of them */
    double kernel_seconds, transfer_seconds;
    double at[4]; /* as in rt_entry */
    double bandwidth;
    rt_kept kept;
    rt_split split;
    bool later; /* it is a later part of its entry */
} rt_outcome;

/* Reports a region of one sweep. */
void rt_report_ran(const stencilrt_region *region, const rt_shape *shape,
                   const rt_outcome *outcome);
/* Reports a region of several sweeps. `done`: the steps of a part; 0: all steps were made. */
void rt_report_sweeps(const stencilrt_region *region, const stencilrt_call *call, int64_t done,
                      const rt_outcome *outcome);
void rt_report_declined(const stencilrt_region *region, const rt_error *why);

#endif
