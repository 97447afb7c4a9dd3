/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where the values are loaded that were taken out of a region's loops.
 */
#ifndef STENCILOPT_PLACE_HOISTS_H
#define STENCILOPT_PLACE_HOISTS_H

#include "detect/host/host.h"
#include "prepare/hoist.h"

/* Can they be loaded in front of these sweeps, which the scope holds? They then refer to `h`. Else
 * the first one gets the reason. */
bool place_hoists(prep_hoists *h, host_region *const *sweeps, size_t count);
/* Does the program evaluate this guard before it loads the value? */
bool place_waits(const prep_hoists *h, const prep_hoisted *e, const host_guard *guard);

#endif
