/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Does it pay to leave an array on the device? Each array has a record, by an address in it: how
 * many calls used it, and whether the program used it while it was on the device. Each time the
 * program did, twice as many calls pass before the array is left there again.
 */
#ifndef STENCILRT_HABIT_H
#define STENCILRT_HABIT_H

#include "runtime/rt.h"

/* A call uses the array. Returns the number of such calls; *may: should the array be left on the
 * device? */
uint32_t rt_habit_comes(const void *array, bool *may);
/* The array was on the device and is so no longer. `again`: enough calls used it before the program
 * did. */
void rt_habit_told(const void *array, bool again);
/* The array is left on the device now. May looks give back pages alone? Not for a while, if the
 * program looked here and there before (rt_habit_scattered): each time twice as long. */
bool rt_habit_may_part(const void *array);
void rt_habit_scattered(const void *array);

#endif
