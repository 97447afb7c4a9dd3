/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Held arrays of which several devices have some rows each. A part has the rows that its device
 * owns, and rows beside them that its calls read. Every row of the array has one owner. After a
 * call that writes the array only the owners' rows are right; the next call that reads others gets
 * them from there, from device to device. Other calls may own rows a little differently: before
 * they begin, such rows move.
 *
 * All that goes to the program's memory, or comes from there, passes through the functions below,
 * also for an array that one device holds.
 */
#ifndef STENCILRT_SPREAD_H
#define STENCILRT_SPREAD_H

#include "runtime/resident/held_array.h"

/* Copies a box from the device to `to`, which is the array's memory or a copy of it; or boxes from
 * there to the device. rt_held_stage copies it to `staged`, as rt_download does. They allocate
 * nothing.
 */
bool rt_held_get(const rt_held *held, const rt_buffer *to, const rt_box *box, rt_error *why);
bool rt_held_put(const rt_held *held, const rt_buffer *from, const rt_box *boxes, size_t count,
                 rt_error *why);
bool rt_held_stage(const rt_held *held, const rt_box *box, unsigned char *staged, rt_error *why);
/* Has a device failed for good that has a part of the array? */
const rt_device *rt_held_broken(const rt_held *held);

/* Do these devices hold the array together, and is each member's use within its part? NULL: does
 * one device hold it? All uses that meet the array lie in it. */
bool rt_parts_serve(const rt_held *held, const rt_use *uses, size_t count,
                    const rt_members *members);
/* Makes parts for all uses that meet the array. False if that is impossible, or no memory is left.
 */
bool rt_parts_make(rt_held *held, const rt_use *uses, size_t count, const rt_members *members);
void rt_parts_free(rt_held *held);
/* Uploads a part, whose device is the current one. */
bool rt_part_upload(const rt_held *part, rt_error *why);
/* Makes the members' uses parts of the held array, which the whole's use is in. */
void rt_parts_take(const rt_use *use, const rt_members *members);
/* Moves rows to their owners in this call. */
bool rt_parts_move(rt_use *uses, size_t count, const rt_members *members, rt_error *why);
/* Queues copies of rows that this member owns to others that read them, behind RT_MARK_EDGES of
 * these; adds the bytes to *sent. rt_parts_renewed: all copies are done. */
bool rt_parts_renew(const rt_use *uses, size_t count, const rt_members *members, unsigned member,
                    double *sent, rt_error *why);
void rt_parts_renewed(const rt_use *uses, size_t count, const rt_members *members);
/* A call wrote the array: only the owners' rows are right. */
void rt_parts_written(rt_held *held);
/* The member's use of the same number, or NULL. */
rt_use *rt_member_use(const rt_members *members, unsigned member, const rt_use *use);

#endif
