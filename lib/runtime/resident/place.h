/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where the cells of a call's use lie: in the program's memory, and in a held array.
 */
#ifndef STENCILRT_PLACE_H
#define STENCILRT_PLACE_H

#include "runtime/call/extent.h"
#include "runtime/resident/held.h"

/* From the use's lowest byte to behind its highest one. */
void rt_use_bytes(const rt_use *use, uintptr_t *lo, uintptr_t *hi);
/* The use's cells; distances of rows and planes are positive. */
rt_extent rt_use_extent(const rt_use *use);
/* Are its cells apart, in the order of their addresses, and with little in between? Then no other
 * object lies there. */
bool rt_use_is_regular(const rt_use *use);

/* Does the use lie in the held array, whose first cell is (0,0,0): all of its cells, or some of
 * each row, or some planes across? Where: *place, which has no meaning where it does not. */
bool rt_place_find(const rt_use *use, const rt_held *held, rt_place *place);
/* The use is of the held array from now on, in whose layout its grid is: at its place. */
void rt_place_take(rt_use *use, rt_held *held);
/* Its cells by the held array's dimensions, where they run along these; else by its own. */
rt_extent rt_place_extent(const rt_use *use, const rt_held *held);
bool rt_place_equals(const rt_place *one, const rt_place *other);
/* Do its dimensions run along others, or down? */
bool rt_place_is_turned(const rt_place *place);

#endif
