/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Does it pay to leave an array on the device? For each array, by an address in it, a record says
 * how many calls used it, and whether the program left it alone while it was on the device. Each
 * time the program did not, twice as many calls pass before the array is left there again.
 */
#ifndef STENCILRT_HABIT_H
#define STENCILRT_HABIT_H

#include "runtime/rt.h"

/* A call has it: the number of calls, and whether this is one to try. */
uint32_t rt_habit_comes(const void *array, bool *may);
/* The array was left on the device, and now it is there no more. `again`: enough calls used it
 * before the program looked at it. */
void rt_habit_told(const void *array, bool again);

#endif
