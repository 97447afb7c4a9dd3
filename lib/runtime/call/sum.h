/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sums of floats from the slots that kernels filled: region.h, STENCILRT_ACCUMULATOR.
 */
#ifndef STENCILRT_SUM_H
#define STENCILRT_SUM_H

#include "stencilopt/region.h"

#include <stdbool.h>

/* The sum of all slots and the initial value, rounded once. False if a number is infinite or NaN.
 */
bool rt_sum(const stencilrt_reduction *r, const uint64_t *slots, uint64_t initial, uint64_t *value);

#endif
