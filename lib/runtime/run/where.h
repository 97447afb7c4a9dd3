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

/* Bytes a second of the GPU that is open and for which the region has code; 0: none is. */
double rt_where_bandwidth(const stencilrt_region *region);
/* The device, or NULL: the original loops. `p` is what the model says without arrays that stay, and
 * becomes what it says with them, where the choice is by cost; `hold`: arrays may stay. */
rt_device *rt_where_choose(rt_uses *uses, const stencilrt_region *region,
                           const stencilrt_call *call, rt_prediction *p, const rt_config *config,
                           bool hold, const rt_part *part, rt_error *why);
/* After a call that ran on a device. `was_loaded`: the region's kernels were, before. */
void rt_where_learn(const stencilrt_region *region, const rt_config *config, const rt_part *part,
                    bool was_loaded, rt_prediction p, const rt_outcome *o);
/* Has no driver that auto tries a GPU, for the rest of the process? */
bool rt_where_all_failed(void);

#endif
