/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Does it pay to leave an array on the device? What is known of arrays, by an address of each: how
 * often it came, and whether the program let it be when it had been left there. Each time that it
 * did not, twice as many calls pass before it is tried again.
 */
#ifndef STENCILRT_HABIT_H
#define STENCILRT_HABIT_H

#include "runtime/rt.h"

/* A call has it: the number of calls, and whether this is one to try. */
uint32_t rt_habit_comes(const void *array, bool *may);
/* It was left on the device; `again`: and enough calls came before the program looked. */
void rt_habit_told(const void *array, bool again);

#endif
