/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where a call runs: on which device, or in its original loops.
 */
#ifndef STENCILRT_WHERE_H
#define STENCILRT_WHERE_H

#include "runtime/choose/cost.h"
#include "runtime/report/report.h"
#include "runtime/resident/uses.h"
#include "runtime/run/part.h"

/* The memory bandwidth of the open GPU for which the region has code, in bytes a second; 0: there
 * is none. */
double rt_where_bandwidth(const stencilrt_region *region);
/* The device, or NULL for the original loops. `p` is the prediction without arrays that stay. If
 * the choice is by cost, it becomes the prediction with them. `hold`: arrays may stay. */
rt_device *rt_where_choose(rt_uses *uses, const stencilrt_region *region,
                           const stencilrt_call *call, rt_prediction *p, const rt_config *config,
                           bool hold, rt_part *part, rt_error *why);
/* To be called after a call that ran on a device. `was_loaded`: the region's kernels were loaded
 * before. */
void rt_where_learn(const stencilrt_region *region, const rt_config *config, const rt_part *part,
                    bool was_loaded, rt_prediction p, const rt_outcome *o);
/* Has every driver that auto tries failed, for the rest of the process? */
bool rt_where_all_failed(void);

#endif
