/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How far the sweeps of a program go in its arrays. A sweep may use the inner cells of an array,
 * and the next one its border, too. What the first one held is sent home for the second. So the box
 * of both is noted, and held from then on.
 */
#ifndef STENCILRT_GROWTH_H
#define STENCILRT_GROWTH_H

#include "runtime/call/extent.h"

/* Sweeps used both boxes of cells, and the boxes overlap. */
void rt_growth_note(const rt_extent *one, const rt_extent *other);
/* What is known of the array that has these cells; false: no more than these. */
bool rt_growth_find(const rt_extent *used, rt_extent *all);
/* The array was held with all these bytes, and the program looked at it before enough calls came.
 */
void rt_growth_was_vain(uintptr_t lo, uintptr_t hi);

#endif
