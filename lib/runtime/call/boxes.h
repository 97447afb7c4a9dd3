/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sets of cells as disjoint boxes.
 */
#ifndef STENCILRT_BOXES_H
#define STENCILRT_BOXES_H

#include "runtime/call/shape.h"

/* Start with zeros; free(at). `failed`: memory ran out, and cells are missing. */
typedef struct rt_boxes {
    rt_box *at;
    size_t count, room;
    bool failed;
} rt_boxes;

bool rt_box_meets(const rt_box *a, const rt_box *b); /* do they share a cell? */
bool rt_boxes_meet(const rt_boxes *a, const rt_boxes *b);
/* Adds a box that shares no cell with the set. */
void rt_boxes_push(rt_boxes *set, const rt_box *box);
/* Adds the box's cells, except those in `except`, which may be NULL. */
void rt_boxes_add(rt_boxes *set, const rt_box *box, const rt_boxes *except);

#endif
