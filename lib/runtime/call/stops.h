/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Whether a call's time loop ends by a condition that the program computes after each step, or
 * makes a number of steps that is known at its entry.
 */
#ifndef STENCILRT_STOPS_H
#define STENCILRT_STOPS_H

#include "stencilopt/region.h"
#include <stdbool.h>

/* Of a call's `check`, which may be NULL. */
static inline bool rt_ends_by_condition(const stencilrt_check *check) {
    return check && check->ends;
}

#endif
