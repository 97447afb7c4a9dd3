/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where each view of an array lies in it, in cells, rows and planes: from the views' addresses. See
 * arrays.c.
 */
#ifndef STENCILRT_PLACES_H
#define STENCILRT_PLACES_H

#include "runtime/call/arrays.h"

typedef struct rt_place {
    int64_t at[3];
} rt_place;

/* The views of one array. */
typedef struct rt_group {
    rt_arrays *a;
    uint32_t array;
    int64_t stride[3];
    int64_t cells[2]; /* cells of a row, rows of a plane; 0: there is only one row or plane */
    uint32_t falling; /* bit d: rows (1) or planes (2) lie in falling order */
    bool written;
    uint32_t nviews;
} rt_group;

/* The first view of the group from number `i` on. If there is none, the number of all views. */
uint32_t rt_next_view(const rt_group *g, uint32_t i);
/* Fills in the group, and the places of its views. `room` has space for all views, twice. */
bool rt_find_places(rt_group *g, rt_place *places, rt_place *room, rt_error *why);

#endif
