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
/* An array goes home from several devices because a call needs more rows on each. True the first
 * times: that is not in vain, the array stays with more rows. */
bool rt_habit_outgrown(const void *array);
/* Several devices held the array, and a call of one device needed it. */
void rt_habit_joined(const void *array);
/* One device may hold the array, or several, which would make this call faster by `saved` seconds;
 * to move the array takes `price` seconds. Has enough been missed by now? Nothing must be, as long
 * as no device holds it (`held`), and it never had to come back to one device; each time that it
 * had to, it must be twice as much. */
bool rt_habit_may_spread(const void *array, double saved, double price, bool held);
/* The array is left on the device now. May looks give back pages alone? Not for a while, if the
 * program looked here and there before (rt_habit_scattered): each time twice as long. */
bool rt_habit_may_part(const void *array);
void rt_habit_scattered(const void *array);

#endif
