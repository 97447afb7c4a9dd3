/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * May kernels of whole steps run? The compiler's assumptions about the arrays of a step (struct
 * stencilrt_step) are compared with what their addresses say (arrays.h).
 */
#ifndef STENCILRT_WHOLE_H
#define STENCILRT_WHOLE_H

#include "runtime/call/arrays.h"

/* Is the region's step well formed? A region may have none. */
bool rt_whole_is_sound(const stencilrt_region *region, rt_error *why);

/* To be called when all views have their places. If the views are as the step says, and a kernel's
 * degree fits the call's steps and max_bt (1: no such kernels): makes the arrays' cells count in
 * the box's coordinates, and lays the arrays out for these kernels, with pads. Otherwise changes
 * nothing. False only if memory ran out. */
bool rt_whole_make(rt_arrays *a, int64_t max_bt, rt_error *why);
/* To be called when all arrays are laid out. An array that stays on the device then gets another
 * layout. */
bool rt_whole_keep_layouts(rt_arrays *a, rt_error *why);
void rt_whole_free(rt_whole *w);

/* To be called afterwards, when all written cells are known. For arrays that take turns: does the
 * step read the second buffer only in cells that it wrote, or that no step writes? If not, no
 * kernel of whole steps is launched. */
void rt_whole_check_order(rt_arrays *a);
/* The numbers of the buffers that take turns with this array's, among the arrays: two, or three
 * with the buffer of the array that takes its place. Returns 1 if they take no turns. */
int rt_whole_buffers(const rt_arrays *a, uint32_t array, uint32_t of[3]);
/* The cells that steps read in all buffers of the step's array number `array`, and write in none.
 * Kernels of whole steps must know whether the buffers differ there. Free halo->at. */
void rt_whole_find_halo(const rt_arrays *a, uint32_t array, rt_boxes *halo);
/* Are two arrays equal in these cells, byte for byte? Compares the host's memory. */
bool rt_whole_box_is_equal(const rt_shape *shape, uint32_t first, uint32_t second,
                           const rt_box *box);

/* Are there copies to ghost cells? Kernels of whole steps make the window alone, without them. */
bool rt_whole_has_margins(const stencilrt_region *region);

/* Into how many parts a step is cut, each made by one kernel; 0: kernels make whole steps. */
uint32_t rt_whole_parts(const stencilrt_region *region);
/* Is kernel number `kernel` of the region one that this call may use? Of parts: the first one, for
 * all of them. */
bool rt_whole_may_use(const rt_arrays *a, uint32_t kernel);

#endif
