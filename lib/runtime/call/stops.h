/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How a call's time loop ends: by a condition that the program computes after each step, or after a
 * number of steps that is known when the call begins.
 */
#ifndef STENCILRT_STOPS_H
#define STENCILRT_STOPS_H

#include "stencilopt/region.h"
#include <stdbool.h>

/* `check` is that of a call, and may be NULL. */
static inline bool rt_ends_by_condition(const stencilrt_check *check) {
    return check && check->ends;
}

#endif
