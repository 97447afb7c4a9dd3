/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why something was refused: a reason and its details.
 */
#include "model/refusal.h"

bool st_refuse(st_refusal *out, st_reason reason, const char *detail) {
    if (out) {
        out->reason = reason;
        snprintf(out->detail, sizeof out->detail, "%s", detail ? detail : "");
    }
    return false;
}
