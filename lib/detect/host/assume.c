/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a region assumes of the program: conditions that hold wherever the nest runs. And why it is
 * refused.
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

bool host_refuse(host_region *r, st_reason reason, const char *detail) {
    return st_refuse(&r->why, reason, detail);
}

st_refusal host_outcome(const host_region *r, bool good) {
    st_refusal why = r->why;
    if (good || why.reason == ST_OK)
        why = (st_refusal){.reason = good ? ST_OK : ST_NO_NOT_STENCIL};
    return why;
}
