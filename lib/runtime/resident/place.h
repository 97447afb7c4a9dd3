/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The place of a use's cells: in the program's memory, and in a held array.
 */
#ifndef STENCILRT_PLACE_H
#define STENCILRT_PLACE_H

#include "runtime/call/extent.h"
#include "runtime/resident/held.h"

/* Sets *lo to the lowest byte of the use, and *hi behind its highest. */
void rt_use_bytes(const rt_use *use, uintptr_t *lo, uintptr_t *hi);
/* The use's cells, with positive distances of rows and planes. */
rt_extent rt_use_extent(const rt_use *use);
/* Are the use's cells apart, in the order of their addresses, with little memory between? Then no
 * other object lies between them. */
bool rt_use_is_regular(const rt_use *use);

/* Does the use lie in the held array, whose first cell is (0,0,0)? It may have all cells, some of
 * each row, or some planes across. *place gets its place; otherwise *place means nothing. */
bool rt_place_find(const rt_use *use, const rt_held *held, rt_place *place);
/* Makes the use part of the held array, at its place. Its grid already has the array's layout. */
void rt_place_take(rt_use *use, rt_held *held);
/* The use's cells in the held array's dimensions, if its own run along them; otherwise in its own.
 */
rt_extent rt_place_extent(const rt_use *use, const rt_held *held);
bool rt_place_equals(const rt_place *one, const rt_place *other);
/* Do dimensions of the use run along others of the array, or downwards? */
bool rt_place_is_turned(const rt_place *place);

#endif
