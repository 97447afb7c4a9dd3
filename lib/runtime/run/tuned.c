/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Finds a region in the profile. A region of another version of the interface may have something
 * else in `where`, so the version is tested first.
 */
#include "runtime/run/tuned.h"

#include "options/profile.h"

const rt_config *rt_tuned(const rt_config *config, const stencilrt_region *region, rt_config *own) {
    bool known = config->profile && region->abi == STENCILRT_ABI && region->where;
    const profile_region *found = known ? profile_find(config->profile, region->where) : NULL;
    if (!found)
        return config;
    *own = *config;
    if (config->max_bt == INT64_MAX && found->max_bt)
        own->max_bt = found->max_bt;
    if (config->chunk == 0)
        own->chunk = found->chunk;
    return own;
}
