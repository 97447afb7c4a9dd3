/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which part of its arrays a program uses. A sweep may use the inner cells of an array, and the
 * next sweep its border, too. Then the inner cells are sent home for the second sweep. So the
 * smallest box with both is noted, and held from then on.
 */
#ifndef STENCILRT_GROWTH_H
#define STENCILRT_GROWTH_H

#include "runtime/call/extent.h"

/* Notes that sweeps used both boxes of cells, which overlap. */
void rt_growth_note(const rt_extent *one, const rt_extent *other);
/* The known box of the array that has these cells. False if it is no larger. */
bool rt_growth_find(const rt_extent *used, rt_extent *all);
/* The array was held with all these bytes. `again`: enough calls came before it went home; else the
 * program looked at it before. */
void rt_growth_told(uintptr_t lo, uintptr_t hi, bool again);

#endif
