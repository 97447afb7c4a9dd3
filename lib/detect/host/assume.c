/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a region assumes of the program: conditions that hold wherever the nest runs.
 */
#include "detect/common/flow.h"
#include "detect/common/limits.h"
#include "detect/host/nest.h"
#include "detect/host/region.h"

bool host_add_guard(host_region *r, LLVMValueRef condition, bool holds) {
    for (int i = 0; i < r->nguards; i++)
        if (r->guards[i].condition == condition && r->guards[i].holds == holds)
            return true;
    if (r->nguards == HOST_MAX_GUARDS)
        return host_refuse(r, ST_NO_CONTROL_FLOW, "too many conditions");
    r->guards[r->nguards++] = (host_guard){condition, holds};
    return true;
}
