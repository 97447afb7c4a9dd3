/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What STENCILOPT_PROFILE says of a region.
 */
#ifndef STENCILRT_TUNED_H
#define STENCILRT_TUNED_H

#include "runtime/rt.h"
#include "stencilopt/region.h"

/* The options for this region: `config`, or `own`, a copy in which the profile fills what the user
 * does not give. */
const rt_config *rt_tuned(const rt_config *config, const stencilrt_region *region, rt_config *own);

#endif
