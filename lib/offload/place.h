/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where hoisted values are loaded in front of a region's loops.
 */
#ifndef STENCILOPT_PLACE_HOISTS_H
#define STENCILOPT_PLACE_HOISTS_H

#include "detect/host/host.h"
#include "prepare/hoist.h"

/* Can the values be loaded in front of these sweeps, which the scope contains? If so, the sweeps
 * refer to `h` from then on. If not, the first sweep gets the reason. */
bool place_hoists(prep_hoists *h, host_region *const *sweeps, size_t count);
/* Does the program evaluate this guard before it loads the value? */
bool place_waits(const prep_hoists *h, const prep_hoisted *e, const host_guard *guard);

#endif
