/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A refusal: a reason, and the detail that completes its sentence.
 */
#include "detect/host/region.h"

#include <stdio.h>

bool host_refuse(host_region *r, st_reason reason, const char *detail) {
    r->reason = reason;
    snprintf(r->detail, sizeof r->detail, "%s", detail ? detail : "");
    return false;
}
